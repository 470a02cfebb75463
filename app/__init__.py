"""What does a person at the Mac see?

Plain Python that decides: state, menu, messages, preferences, placement. `app/mac/` does what is
decided here, `launch` joins the two.
"""
