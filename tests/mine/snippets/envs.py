import os


def demo_port():
    text = os.getenv("DEMO_BY_FUNCTION")
    return None if text is None else int(text)


environment_variables = {
    "DEMO_HOST": lambda: os.getenv("DEMO_HOST", "localhost"),
    "DEMO_PORT": lambda: int(os.getenv("DEMO_PORT", "80")) if "DEMO_PORT" in os.environ else None,
    "DEMO_LOGGING": lambda: os.getenv("DEMO_LOGGING", "info").upper(),
    "DEMO_BACKEND": env_with_choices("DEMO_BACKEND", "fast", ["fast", "exact"], case_sensitive=False),
    "DEMO_BY_FUNCTION": demo_port,
    "DEMO_MIXED": lambda: os.getenv("DEMO_MIXED") or os.getenv("DEMO_OTHER"),
}
