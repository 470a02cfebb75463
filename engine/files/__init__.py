"""Which files are ours?"""
