"""Are we getting better? Judged questions, asked through the front door, and their metrics.

Every answer measured here comes from `engine.api.Engine`: there is no path for evaluation only.
"""
