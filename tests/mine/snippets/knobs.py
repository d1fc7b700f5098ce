class demo_knobs(base_knobs):
    dump: env_bool = env_bool("DEMO_DUMP")
    fuse: env_bool = env_bool("DEMO_FUSE", True)
    port: env_int = env_int("DEMO_REDIS_PORT", 6379)
    host: env_str = env_str("DEMO_REDIS_HOST", "localhost")
    manager: env_class = env_class("DEMO_MANAGER", "Manager")
