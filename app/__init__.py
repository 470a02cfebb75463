"""What a person at the Mac sees: decisions in plain Python; mac/ carries them out."""
