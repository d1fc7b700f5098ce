import os
environment_variables = {
    "DEMO_HOST": lambda: os.getenv("DEMO_HOST", "localhost"),
    "DEMO_PORT": lambda: int(os.getenv("DEMO_PORT", "80")) if "DEMO_PORT" in os.environ else None,
    "DEMO_LOGGING": lambda: os.getenv("DEMO_LOGGING", "info").upper(),
    "DEMO_BACKEND": env_with_choices("DEMO_BACKEND", "fast", ["fast", "exact"], case_sensitive=False),
    "DEMO_MIXED": lambda: os.getenv("DEMO_MIXED") or os.getenv("DEMO_OTHER"),
}
