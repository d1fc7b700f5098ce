quiet: bool = Config(env_name_default="DEMO_QUIET", default=True)
level: str = Config(env_name_force=["DEMO_LEVEL_A", "DEMO_LEVEL_B"], default="high")
size: int = Config(env_name_default="DEMO_CONFIG_SIZE", default=4)
