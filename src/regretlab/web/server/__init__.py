"""The server: HTTP, who may ask for what, sessions, and the threads that work for them."""
