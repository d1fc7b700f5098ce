#!/bin/sh
# SPDX-License-Identifier: MIT
# The command line has no word about the IOMMU: Debian's kernel takes it into use and translates.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh

expect_equal "dma: the command line does not name the IOMMU" "$(grep -c iommu /proc/cmdline)" 0
expect_equal "dma: the IOMMU translates" "$(cat /sys/kernel/iommu_groups/*/type | cut -c1-3 | sort -u | xargs)" DMA
expect_equal "dma: the kernel turned ACS on, but where the lab did not" "$(acs_words)" "001d 0011 0000 001d 001d"
expect_unsafe "dma" "is in an IOMMU group of type DMA"
