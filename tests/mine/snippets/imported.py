from demo.other import wrapper

given = wrapper("DEMO_IMPORTED")
