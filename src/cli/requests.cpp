// SPDX-License-Identifier: MIT
#include "cli/requests.h"

#include "transaction/set.h"

namespace rocenv {

namespace {

CheckRequest common(const MachineOptions& machine, const ProfileOptions& profile,
                    Untrusted untrusted) {
    CheckRequest request;
    request.untrusted = untrusted;
    request.profiles = profile.names;
    request.wants = profile.wants;
    request.only = profile.filter.only;
    request.skip = profile.filter.skip;
    request.ignore_match = profile.ignore_match;
    request.no_site = profile.no_site;
    request.root = root_of(machine);
    return request;
}

void take_waivers(const WaiverOptions& waivers, CheckRequest& request) {
    request.waivers = waivers.file;
    request.no_waivers = waivers.none;
}

void take_scope(std::optional<ScopeChoice> scope, CheckRequest& request) {
    request.all_scopes = scope == ScopeChoice::all;
    if (scope && !request.all_scopes) {
        request.scope = scope == ScopeChoice::node ? Scope::node : Scope::process;
    }
}

}  // namespace

std::string root_of(const MachineOptions& options) {
    return options.sysroot.value_or("/");
}

CheckRequest check_request(const CheckOptions& options) {
    CheckRequest request = common(options.machine, options.profile, Untrusted::ignored);
    take_scope(options.scope, request);
    take_waivers(options.waivers, request);
    request.strict = options.strict;
    request.facts = options.facts;
    request.with_ids = options.with_ids;
    request.since = options.since;
    request.node_name = options.node_name;
    request.assume = options.assume;
    request.pid = options.pid;
    request.env_files = options.env_files;
    return request;
}

CheckRequest check_request(const SetOptions& options) {
    CheckRequest request = common(options.machine, options.profile, Untrusted::refused);
    take_scope(options.scope, request);
    take_waivers(options.waivers, request);
    request.node_name = options.node_name;
    return request;
}

CheckRequest check_request(const EnvOptions& options) {
    CheckRequest request = common(options.machine, options.profile, Untrusted::ignored);
    request.assume = options.assume;
    return request;
}

CheckRequest check_request(const RunOptions& options) {
    CheckRequest request = common(options.machine, options.profile,
                                  options.tune ? Untrusted::refused : Untrusted::ignored);
    request.assume = options.assume;
    take_waivers(options.waivers, request);
    return request;
}

CheckRequest check_request(const ExplainOptions& options) {
    CheckRequest request = common(options.machine, options.profile, Untrusted::ignored);
    take_waivers(options.waivers, request);
    request.assume = options.assume;
    request.pid = options.pid;
    request.env_files = options.env_files;
    return request;
}

CheckRequest fleet_check_request(const FleetOptions& options, const std::string& file,
                                 const std::string& node) {
    CheckRequest request = common({file, {}}, options.profile, Untrusted::ignored);
    take_waivers(options.waivers, request);
    request.only.clear();  // what is left out is left out by the reader: groups need some facts
    request.skip.clear();
    request.scope = Scope::node;  // who asks has another environment than the node's jobs
    request.facts = true;
    request.node_name = node;
    return request;
}

SetRequest set_request(const SetOptions& options) {
    return {.check = check_request(options),
            .allow = options.allow,
            .gpus = options.gpus,
            .hold = options.write.hold,
            .dry_run = options.write.dry_run};
}

SetRequest set_request(const RunOptions& options) {
    return {.check = check_request(options), .allow = options.allow, .gpus = options.gpus};
}

ResetRequest reset_request(const ResetOptions& options) {
    ResetRequest request;
    request.hold = options.write.hold;
    request.keep = options.keep;
    request.only = options.filter.only;
    request.skip = options.filter.skip;
    request.force = options.force;
    request.forget = options.forget;
    request.to_defaults = options.to_defaults;
    request.dry_run = options.write.dry_run;
    request.root = root_of(options.machine);
    return request;
}

}  // namespace rocenv
