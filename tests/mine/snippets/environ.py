class Level(IntEnum):
    OFF = 0
    ON = 1


class Envs:
    DEMO_BOOL = EnvBool(True)
    DEMO_INT = EnvInt(2 * 8)
    DEMO_FLOAT = EnvFloat(0.5)
    DEMO_STR = EnvStr("auto")
    DEMO_NONE = EnvInt(None)
    DEMO_TUPLE = EnvTuple(())
    DEMO_JSON = EnvJSON(None)
    DEMO_MEMBER = EnvInt(Level.ON)
    DEMO_OTHER_KIND = EnvList([])
