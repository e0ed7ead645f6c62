"""Web: the server and the page's own files. Numbers come from the engine; the page only draws them."""
