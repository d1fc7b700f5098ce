void Refresh() {
  std::string var = os::GetEnvVar("DEMO_INTERRUPT");
  enable_interrupt_ = (var == "0") ? false : true;
  var = os::GetEnvVar("DEMO_XNACK");
  xnack_ = (var == "0") ? OFF : ((var == "1") ? ON : UNCHANGED);
  var = os::GetEnvVar("DEMO_MAX");
  max_ = static_cast<uint32_t>(atoi(var.c_str()));
  var = os::GetEnvVar("DEMO_SIZE_OR");
  size_ = var.empty() ? 1024 * 1024 : atoi(var.c_str());
  var = os::GetEnvVar("DEMO_ODD");
  odd_ = parse(var, 7);
}
void More() {
  if (os::IsEnvVarSet("DEMO_SCRATCH")) {
    var = os::GetEnvVar("DEMO_SCRATCH");
    char* end;
    scratch_ = strtoul(var.c_str(), &end, 10);
  }
}
