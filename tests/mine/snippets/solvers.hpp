MIOPEN_DECLARE_ENV_VAR_BOOL(DEMO_VERBOSE)

bool usable(const Problem& problem)
{
    if(env::disabled(DEMO_SOLVER_ON))
        return false;
    if(miopen::env::enabled(DEMO_VERBOSE))
        log("DEMO_SOLVER_ON is off");
    if(is_slow(problem) ? !env::enabled(DEMO_SOLVER_BY_GPU) : env::disabled(DEMO_SOLVER_BY_GPU))
        return false;
    return env::enabled(DEMO_STATED) && !env::disabled(DEMO_SOLVER_PASSED_ON) && allows(DEMO_SOLVER_PASSED_ON);
}
