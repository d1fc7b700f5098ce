// SPDX-License-Identifier: MIT
#include "os/redact/redact_words.h"

#include <algorithm>
#include <array>

#include "util/letters.h"
#include "util/text.h"

namespace rocenv {

namespace {

// linux Documentation/admin-guide/kernel-parameters.txt, 6.12, and its predecessors; systemd's
// kernel-command-line(7) and dracut.cmdline(7). '-' as '_'.
constexpr std::string_view tuning_parameters =
    "acpi acpi_enforce_resources acpi_irq_balance acpi_irq_nobalance acpi_osi acpi_rsdp amd_iommu "
    "amd_iommu_intr amd_prefcore amd_pstate apic apparmor audit audit_backlog_limit bert_disable "
    "bgrt_disable cgroup_disable cgroup_enable cgroup_no_v1 cgroup_v1_proc clocksource "
    "clearcpuid coherent_pool cpu0_hotplug cpu_init_udelay cpuidle.off cpuidle.governor "
    "crash_kexec_post_notifiers crashkernel debug_pagealloc debugpat default_hugepagesz "
    "deferred_probe_timeout disable_mtrr_cleanup disable_mtrr_trim earlyprintk edac_report efi "
    "enable_mtrr_cleanup enforcing erst_disable fips force_pal_cache_flush gather_data_sampling "
    "gbpages ghes.disable hardened_usercopy hest_disable highmem highres hpet hpet_mmap "
    "hugepage_alloc_threads hugepages hugepagesz hugetlb_cma hugetlb_free_vmemmap hung_task_panic "
    "hw_protection ibt idle ignore_loglevel ima_appraise indirect_target_selection "
    "init_mlocked_on_free "
    "init_on_alloc init_on_free initcall_debug intel_idle.max_cstate intel_iommu intel_pstate "
    "intremap io_delay iommu iommu.forcedac iommu.passthrough iommu.strict irqaffinity irqpoll "
    "irqfixup isolcpus kasan kasan.fault kasan.mode kasan_multi_shot kfence.sample_interval kpti "
    "kstack_depot kvm-intel.nested l1d_flush l1tf lapic lapic_timer_c2_ok log_buf_len loglevel lpj "
    "lockdown max_addr max_loop maxcpus mce mce_panic mds mem memhp_default_state memmap "
    "memory_corruption_check memory_hotplug.memmap_on_memory memtest mem_encrypt mem_sleep_default "
    "mitigations mminit_loglevel mmio_stale_data mmap_min_addr movable_node movablecore msr "
    "mtrr_chunk_size "
    "nmi_watchdog noaliencache noapic noapictimer noautogroup nobats nobgrt nocache noclflush "
    "noefi noexec nofpu nofsgsbase nofxsr nohibernate nohlt nohpet nohugeiomap nohugevmalloc nohz "
    "nohz_full noinvpcid nointremap noirqdebug noiotrap nokaslr nolapic nolapic_timer nomce nomca "
    "nomfgpt nomodeset nomodule nonmi_ipi nopat nopcid nopku nopti nopv nopvspin norandmaps "
    "noreplace_smp noresume nortsched nosgx nosmap nosmep nosmp nosmt nosoftlockup "
    "nospec_store_bypass_disable nospectre_bhb nospectre_v1 nospectre_v2 notsc nousb nowatchdog "
    "nowb nox2apic noxsave noxsaveopt noxsaves nptcg nr_cpus nr_uarts numa numa_balancing "
    "numa_zonelist_order oops page_owner page_poison page_reporting.page_reporting_order panic "
    "panic_on_oops panic_on_taint panic_on_warn panic_print parport pause_on_oops pci "
    "pcie_acs_override pcie_aspm pcie_pme pcie_port_pm pcie_ports possible_cpus preempt "
    "print_fatal_signals "
    "printk.always_kmsg_dump printk.devkmsg printk.time processor.max_cstate processor.nocst "
    "profile psi pstore.backend pti quiet random.trust_bootloader random.trust_cpu "
    "random_kstack_offset ras rcu_nocb_poll rcu_nocbs rcupdate.rcu_expedited rcupdate.rcu_normal "
    "rd.auto rd.break rd.debug rd.dm rd.lvm rd.md rd.multipath rd.plymouth rd.shell rdrand reboot "
    "relative_sleep_states reserve_mem reset_devices retain_initrd retbleed retpoline rhgb ro "
    "rodata rootdelay rootwait rw rwkeep reg_file_data_sampling sched_verbose schedstats security "
    "selinux "
    "sev setcpuid skew_tick skip_duc slab_debug slab_max_order slab_merge slab_min_objects "
    "slab_min_order slab_nomerge slram slub_debug slub_max_order slub_memcg_sysfs slub_merge "
    "slub_min_objects slub_min_order slub_nomerge smp.csd_lock_timeout smt "
    "snd_hda_intel.power_save softlockup_all_cpu_backtrace "
    "softlockup_panic spec_rstack_overflow spec_store_bypass_disable spectre_bhi spectre_v2 "
    "spectre_v2_user splash split_lock_detect srbds stack_guard_gap stacktrace swapaccount swiotlb "
    "sysctl.kernel.numa_balancing sysctl.vm.nr_hugepages sysrq_always_enabled "
    "systemd.legacy_systemd_cgroup_controller systemd.log_level systemd.show_status "
    "systemd.unified_cgroup_hierarchy tdfx thash_entries thermal.off threadirqs tme topology "
    "topology_updates torture transparent_hugepage transparent_hugepage_shmem trace_clock tsa tsc "
    "tsc_early_khz tsx tsx_async_abort udbg_immortal uhci_hcd.ignore_oc unknown_nmi_panic "
    "unwind_debug usbcore.autosuspend vdso vdso32 vga vmalloc vmscape vsyscall "
    "vt.global_cursor_default "
    "watchdog watchdog_thresh workqueue.power_efficient x2apic_phys zswap.compressor zswap.enabled "
    "zswap.max_pool_percent zswap.zpool debug kernel single emergency rescue text 1 2 3 4 5 6 s";

// Their values name disks, files, hosts or people.
constexpr std::string_view naming_parameters =
    "BOOT_IMAGE BOOTIF autoinstall biosdevname bootdev cloud_config_url cloud_init console "
    "coreos.config.url coreos.inst.install_dev crypto cryptdevice cryptkey datasource dhcp domain "
    "ds "
    "dyndbg earlycon fsck.mode fsck.repair hibernate hostname ifname ima_policy init initrd "
    "inst.ks "
    "inst.repo inst.stage2 ip iscsi_initiator iscsi_target_name kgdboc ks ksdevice lang "
    "locale.LANG loop luks mdadm md name nameserver net.ifnames netconsole netroot "
    "nfs.nfs4_unique_id "
    "nfsroot noswap nvmf.discover nvmf.hostid nvmf.hostnqn ostree overlayroot preseed "
    "rd.iscsi.firmware "
    "rd.iscsi.initiator rd.iscsi.password rd.iscsi.username rd.live.image rd.luks rd.luks.key "
    "rd.luks.name "
    "rd.luks.options rd.luks.uuid rd.lvm.lv rd.lvm.vg rd.md.uuid rd.neednet rd.nvmf.hostnqn "
    "rd.peerdns "
    "rd.retry rd.route rd.systemd.unit rd.timeout rd.znet resume resume_offset root rootflags "
    "rootfstype "
    "rootovl ssh stage2 systemd.firstboot systemd.hostname systemd.machine_id systemd.mask "
    "systemd.run systemd.set_credential systemd.setenv systemd.unit systemd.wants tftp url user "
    "vconsole.font vconsole.keymap vlan wwid zfs";

constexpr std::string_view blacklists =
    "initcall_blacklist modprobe.blacklist module_blacklist rd.driver.blacklist rd.driver.post "
    "rd.driver.pre driver.blacklist";

// Modules and functions that guides and distributions name there, besides those of `modules`.
constexpr std::string_view blacklisted =
    "radeon nouveau nova_core nvidia ast mgag200 i915 xe bochs_drm cirrus virtio_gpu simpledrm "
    "acpi_pad acpi_power_meter ccp i2c_piix4 i2c_i801 ipmi_si iTCO_wdt sp5100_tco wdat_wdt pcspkr "
    "snd_hda_intel snd_pcsp bluetooth btusb iwlwifi usb_storage uas firewire_core firewire_ohci "
    "floppy parport_pc qat_4xxx idxd irdma ice i40e igb ixgbe bnxt_re ionic ionic_rdma mlx4_core "
    "mlx4_ib mlx5_ib lpfc qla2xxx mpt3sas megaraid_sas aacraid hpsa rdma_rxe siw intel_rapl_msr "
    "intel_rapl_common rapl amd64_edac edac_mce_amd skx_edac i10nm_edac acpi_cpufreq "
    "pcc_cpufreq intel_pstate amd_energy k10temp amd_hsmp hsmp simplefb vga16fb efifb "
    "acpi_cpufreq_init sysfb_init simpledrm_platform_driver_init algif_aead dccp sctp rds tipc "
    "cramfs freevxfs jffs2 hfs hfsplus squashfs udf";

struct Module {
    std::string_view name;
    std::string_view parameters;
};

// linux drivers/gpu/drm/amd/amdgpu/amdgpu_drv.c, 2018 to 2026, and the drivers of the others.
constexpr std::array modules = std::to_array<Module>(
    {{"amdgpu",
      "abmlevel agp aspm async_gfx_ring audio backlight bad_page_threshold bapm benchmark cg_mask "
      "cik_support compute_multipipe cwsr_enable damageclips dc dcdebugmask dcfeaturemask "
      "debug_evictions "
      "debug_largebar debug_mask deep_color disable_cu discovery disp_priority dpm emu_mode "
      "enforce_isolation exp_hw_support force_asic_type forcelongtraining freesync_video "
      "fw_load_type "
      "gartsize gpu_recovery gttsize halt_if_hws_hang hw_i2c hws_gws_support hws_max_conc_proc "
      "ignore_crat ignore_min_pcap ip_block_mask job_hang_limit lbpw lockup_timeout "
      "max_num_of_queues_per_device mcbp mes mes_kiq mes_log_enable modeset moverate msi "
      "mtype_local "
      "no_queue_eviction_on_vm_fault no_system_mem_limit noretry num_kcq partition_mode pcie_gen2 "
      "pcie_gen_cap pcie_lane_cap pcie_p2p pg_mask ppfeaturemask queue_preemption_timeout_ms "
      "ras_enable "
      "ras_mask rebar reset_method runpm sched_hw_submission sched_jobs sched_policy "
      "sdma_phase_quantum seamless send_sigterm sg_display si_support smu_memory_pool_size "
      "smu_pptable_id "
      "svm_default_granularity test timeout_fatal_disable timeout_period tmz umsch_mm "
      "umsch_mm_fwlog uni_mes "
      "use_xgmi_p2p user_partt_mode user_queue vcnfw_log virtual_display vis_vramlimit "
      "visualconfirm "
      "vm_block_size vm_debug vm_fault_stop vm_fragment_size vm_size vm_update_mode vramlimit "
      "wbrf"},
     {"amdkfd", "cwsr_enable debug_evictions noretry sched_policy send_sigterm"},
     {"amdttm", "page_pool_size pages_limit dma32_pages_limit"},
     {"ttm", "page_pool_size pages_limit dma32_pages_limit"},
     {"amd_pstate", "replace shared_mem"},
     {"bnxt_en", "pf_udp_port_configs"},
     {"cpufreq", "default_governor off"},
     {"cpuidle", "governor off"},
     {"cpuidle_haltpoll", "force"},
     {"drm", "debug edid_fixup timestamp_precision_usec vblankoffdelay"},
     {"ib_core", "netns_mode recv_queue_size send_queue_size"},
     {"intel_idle", "max_cstate no_acpi no_native preferred_cstates states_off use_acpi"},
     {"iommu", "forcedac passthrough strict"},
     {"kvm",
      "eager_page_split enable_vmware_backdoor halt_poll_ns ignore_msrs mmio_caching "
      "nx_huge_pages report_ignored_msrs tdp_mmu"},
     {"kvm_amd", "avic nested npt sev sev_es sev_snp vgif vls"},
     {"kvm_intel", "enable_apicv ept flexpriority nested unrestricted_guest vpid"},
     {"mlx5_core", "debug_mask num_of_groups probe_vf prof_sel"},
     {"nvme_core",
      "admin_timeout apst_primary_latency_tol_us default_ps_max_latency_us io_timeout "
      "max_retries multipath shutdown_timeout"},
     {"nvme", "io_queue_depth poll_queues use_cmb_sqes use_threaded_interrupts write_queues"},
     {"pcie_aspm", "policy"},
     {"pciehp", "pciehp_debug pciehp_force pciehp_poll_mode pciehp_poll_time"},
     {"processor", "ignore_ppc ignore_tpc latency_factor max_cstate nocst bm_check_disable"},
     {"rcutree",
      "blimit enable_rcu_lazy jiffies_till_first_fqs jiffies_till_next_fqs kthread_prio "
      "nohz_full_patience_delay qhimark qlowmark rcu_nocb_gp_stride use_softirq"},
     {"vfio", "enable_unsafe_noiommu_mode"},
     {"vfio_iommu_type1", "allow_unsafe_interrupts disable_hugepages dma_entry_limit"},
     {"vfio_pci", "disable_denylist disable_idle_d3 disable_vga enable_sriov ids nointxmask"},
     {"workqueue",
      "cpu_intensive_thresh_us debug_force_rr_cpu default_affinity_scope disable_numa "
      "panic_on_stall power_efficient unbound_cpus watchdog_thresh"}});

// Of values of kernel parameters.
constexpr std::string_view boot_words =
    "on off auto force noforce forceoff yes no y n true false enable enabled disable disabled pt "
    "nopt soft "
    "strict lazy fullflush nobypass passthrough biomerge merge nomerge memaper noagp allowed "
    "allowdac "
    "usedac full none never always madvise defer within_size advise deny inherit default "
    "permissive "
    "realloc bfsort nobfsort noaer noats nommconf mmconf nomsi nodomains conf1 conf2 nobios bios "
    "biosirq nosort routeirq rom norom assign busses firmware noacpi use_crs nocrs use_e820 "
    "no_e820 "
    "hpbussize hpiosize hpmmiosize hpmmioprefsize hpmemsize pcie_bus_tune_off pcie_bus_safe "
    "pcie_bus_perf pcie_bus_peer2peer noari noioapicquirk ioapicreroute noioapicreroute cbiosize "
    "cbmemsize "
    "pcie_scan_all big_root_window skip_isa_align check_enable_amd_mmconf disable_acs_redir "
    "config_acs "
    "resource_alignment nomio norid ecrc earlydump downstream multifunction id native compat dpc "
    "tsc hpet "
    "acpi_pm jiffies kvm clock reliable nowatchdog recalibrate unstable performance powersave "
    "ondemand conservative schedutil userspace active passive guided hwp_only no_hwp halt nomwait "
    "poll retpoline generic amd lfence ibrs eibrs ibpb stibp prctl seccomp user kernel flush "
    "flush_all unret safe ret nosmt nosmt no_guest_host no_guest_guest cross_thread vmexit menu "
    "teo haltpoll "
    "ladder ignore_ce dont_log_ce no_lmce no_cmci bootlog nobootlog bios_cmci_threshold recovery "
    "print_all panic nopanic fwdump highest domain managed_irq nohz runtime noruntime voluntary "
    "memory cpu cpuset "
    "cpuacct io blkio hugetlb pids rdma misc freezer perf_event devices net_cls net_prio named all "
    "integrity "
    "confidentiality ratelimit fatal warn high low lazy extra_low high_latency tty vt xapic x2apic "
    "debug verbose info notice err crit emerg random trusted encrypted warm cold bios kbd triple "
    "efi acpi pci "
    "kasan sync async asymm stacktrace report online online_kernel online_movable offline lz4 "
    "lzo zstd zbud z3fold zsmalloc deflate fake legacy_off intgpu_off vmm_off irtcachedis "
    "sm_on sm_off igfx_off nobounce relax snp deep s2idle shallow xonly emulate selinux apparmor "
    "yama loadpin safesetid bpf landlock capability replace";

// Of files of the kernel, of amdgpu and of drivers of NICs (linux 6.12: drivers/pci/pcie/aer.c,
// drivers/infiniband/core/sysfs.c, drivers/cpufreq, drivers/edac/edac_mc_sysfs.c, mm/huge_memory.c,
// drivers/gpu/drm/amd/pm and amdgpu_ras.c), and the profiles of tuned.
constexpr std::string_view file_words =
    "RxErr BadTLP BadDLLP Rollover Timeout NonFatalErr CorrIntErr HeaderOF TOTAL_ERR_COR "
    "TOTAL_ERR_FATAL TOTAL_ERR_NONFATAL Undefined DLP SDES TLP FCP CmpltTO CmpltAbrt UnxCmplt RxOF "
    "MalfTLP ECRC UnsupReq ACSViol UncorrIntErr BlockedTLP AtomicOpBlocked TLPBlockedErr "
    "PoisonTLPBlocked DMWrReqBlocked IDECheck MisIDETLP PCRC_CHECK TLPXlatBlocked "
    "Y N SPX DPX TPX QPX CPX NPS1 NPS2 NPS3 NPS4 NPS8 GT s PCIe Unknown speed Mhz MHz mV kB Gb Mb "
    "sec W uW "
    "D0 D1 D2 D3hot D3cold unknown error active suspended suspending resuming unsupported "
    "on off forceoff notsupported notimplemented tsc hpet acpi_pm kvm clock jiffies refined xen "
    "hyperv_clocksource_tsc_page hyperv_clocksource_msr arch_sys_counter tsc_early "
    "always madvise never defer none integrity confidentiality live coming going new resetting "
    "connecting deleting dead online offline full half up down dormant lowerlayerdown notpresent "
    "testing "
    "Ethernet InfiniBand Unspecified NOP DOWN INIT ARMED ACTIVE ACTIVE_DEFER Sleep Polling "
    "Disabled "
    "PortConfigurationTraining LinkUp LinkErrorRecovery Phy Test 1X 2X 4X 8X 12X SDR DDR QDR FDR10 "
    "FDR EDR HDR NDR XDR IB RoCE v1 v2 identity DMA FQ unmanaged auto "
    "low high manual perf_determinism profile_standard profile_min_sclk profile_min_mclk "
    "profile_peak "
    "soc_pstate_default soc_pstate_0 soc_pstate_1 soc_pstate_2 OD_SCLK OD_MCLK OD_RANGE "
    "OD_VDDC_CURVE OD_CCLK "
    "OD_VDDGFX_OFFSET OD_FCLK OD_SCLK_OFFSET SCLK MCLK VDDC_CURVE_SCLK VDDC_CURVE_VOLT "
    "performance powersave ondemand conservative schedutil userspace default "
    "balance_performance balance_power power POLL ACPI FFH HLT HSW SKX SPR idle haltpoll MWAIT C "
    "Empty Reserved Unbuffered Registered Load Reduced Non volatile RAM EDO BEDO FPM SDRAM RDDR "
    "DDR DDR2 DDR3 DDR4 DDR5 LPDDR3 LPDDR4 LPDDR5 RDRAM XDR HBM HBM2 HBM3 NVDIMM WIO2 "
    "feature features mask ras_features umc sdma gfx mmhub athub pcie_bif hdp xgmi_wafl df smn sem "
    "mp0 mp1 fuse "
    "mca vcn jpeg ih mpio mmsch single_correctable multi_uncorrectable poison parity supported "
    "enabled disabled "
    "current seqno last_seqno Fatal Error count Poison Creation Consumption table version schema "
    "accelerator-performance balanced balanced-battery cpu-partitioning desktop hpc-compute "
    "latency-performance network-latency network-throughput powersave realtime "
    "realtime-virtual-host server-powersave throughput-performance virtual-guest virtual-host "
    "inherit "
    "is not unavailable UNKNOWN R P F U NULL null shared exclusive GPU O E OE PO POE FO FOE CE COE "
    "OEX POX X K";

constexpr std::string_view separators = " \t\n,:;=()[]<>/+-.*@\"";

bool is_unit(std::string_view text) {
    constexpr std::array<std::string_view, 18> suffixes{"",   "k",  "K",   "M",   "G",  "T",
                                                        "kB", "KB", "MB",  "GB",  "s",  "ms",
                                                        "us", "%",  "Mhz", "MHz", "mV", "W"};
    return std::find(suffixes.begin(), suffixes.end(), text) != suffixes.end();
}

// "12", "0x1f", "ffff,ffff" in parts, "400Mhz"; not a long row of hexadecimal digits, which
// would be an id.
bool is_number(std::string_view part) {
    constexpr std::size_t mask_digits = 8;
    constexpr std::size_t most_decimal = 20;
    if (part.starts_with("0x") || part.starts_with("0X")) {
        const auto digits = part.substr(2);
        return !digits.empty() && digits.size() <= 16 &&
               std::all_of(digits.begin(), digits.end(), is_hex_digit);
    }
    const auto end = std::min(part.find_first_not_of("0123456789"), part.size());
    return (end > 0 && end <= most_decimal && is_unit(part.substr(end))) ||
           (part.size() <= mask_digits && std::all_of(part.begin(), part.end(), is_hex_digit));
}

// Parts between separators of which a list holds each; a word with separators in it is whole first.
template <typename Known>
bool all_known(std::string_view text, Known known) {
    for (const auto word : words(text)) {
        if (known(word)) {
            continue;
        }
        for (std::size_t at = 0; at < word.size();) {
            const auto end = std::min(word.find_first_of(separators, at), word.size());
            const auto part = word.substr(at, end - at);
            if (!part.empty() && !is_number(part) && !known(part)) {
                return false;
            }
            at = end + 1;
        }
    }
    return true;
}

std::string with_underscores(std::string_view name) {
    std::string out(name);
    std::replace(out.begin(), out.end(), '-', '_');
    return out;
}

}  // namespace

bool is_amdgpu_parameter(std::string_view name) {
    return contains_word(modules.front().parameters, name);
}

bool is_module_of_a_list(std::string_view name) {
    const std::string plain = with_underscores(name);
    return contains_word(blacklisted, plain) ||
           std::any_of(modules.begin(), modules.end(),
                       [&](const Module& module) { return module.name == plain; });
}

BootValue boot_value(std::string_view parameter) {
    const std::string name = with_underscores(parameter);
    if (name.empty() || words(name).size() != 1) {
        return BootValue::nothing;
    }
    if (contains_word(blacklists, name)) {
        return BootValue::modules;
    }
    const auto dot = name.find('.');
    const bool of_module = std::any_of(modules.begin(), modules.end(), [&](const Module& module) {
        return dot != std::string::npos && module.name == name.substr(0, dot) &&
               contains_word(module.parameters, name.substr(dot + 1));
    });
    if (of_module || contains_word(tuning_parameters, name)) {
        return BootValue::known_words;
    }
    return contains_word(naming_parameters, name) ? BootValue::name : BootValue::nothing;
}

bool is_known_boot_value(std::string_view value) {
    return all_known(value, [](std::string_view part) { return contains_word(boot_words, part); });
}

bool is_kernel_text(std::string_view text) {
    return all_known(text, [](std::string_view part) { return contains_word(file_words, part); });
}

std::string quoted_value(std::string_view text) {
    constexpr std::size_t shown = 40;
    return is_kernel_text(text) ? "\"" + printable(text, shown) + "\""
                                : number(text.size()) + " bytes of another text";
}

bool is_kernel_word(std::string_view word) {
    return !word.empty() && (contains_word(file_words, word) || contains_word(boot_words, word) ||
                             contains_word(tuning_parameters, word));
}

}  // namespace rocenv
