"""What does the bundle start? The app; its name becomes the bundle's name."""

from app.__main__ import main

if __name__ == "__main__":
    main()
