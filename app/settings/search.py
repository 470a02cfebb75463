"""Search: modes, weights and what openings have taught."""

from app.settings.pane import Field, Kind, Pane, app_field, button, engine_field

PANE = Pane(
    "search",
    "Search",
    (
        engine_field("search.default_keyword_enabled", "By words", Kind.TOGGLE),
        engine_field("search.default_semantic_enabled", "By meaning", Kind.TOGGLE),
        engine_field("search.keyword_title_boost", "Weight of the title", Kind.NUMBER),
        engine_field("search.keyword_phrase_boost", "Weight of words in a row", Kind.NUMBER),
        engine_field("search.default_min_semantic_score", "Least closeness", Kind.NUMBER),
        engine_field("search.language", "Language", Kind.TEXT),
        app_field("learn_opens", "Learn from what I open", Kind.TOGGLE),
        Field("learned", "Learned so far", Kind.LEARNED),
        button(
            "forget_learned",
            "What was learned",
            "Forget…",
            confirm="Results will no longer remember what you opened. Your files are not touched.",
        ),
    ),
)
