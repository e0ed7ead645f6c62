"""``python -m regretlab`` is the command ``regretlab``."""

from regretlab.cli import main

if __name__ == "__main__":
    main()
