"""What each address of the page answers. A module here has a list ``ROUTES`` that the server serves."""
