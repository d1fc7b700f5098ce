// SPDX-License-Identifier: MIT
#include "settings/rdma/rdma_odd_ports.h"

#include <algorithm>
#include <map>
#include <set>

#include "util/text.h"

namespace rocenv {

namespace {

// By card: the places of its ports that train; none of a card whose ports are all off.
using PlacesByCard = std::map<std::string, std::set<std::string>>;

// The last part of the function's address, and the port's number: ".0:1".
std::string place_on_card(const RdmaPort& port) {
    return port.bdf.substr(card_of(port.bdf).size()) + ":" + number(port.number);
}

std::size_t cards_that(const PlacesByCard& cards,
                       const std::function<bool(const std::set<std::string>&)>& holds) {
    return static_cast<std::size_t>(std::count_if(
        cards.begin(), cards.end(), [&](const auto& each) { return holds(each.second); }));
}

// How many cards have a port in this place that trains; 0: the port is not odd. One of a card that
// trains over another port is odd where more than half train over more ports, this one among them.
std::size_t like_it(const PlacesByCard& cards, const RdmaPort& port) {
    const auto place = place_on_card(port);
    const auto own = cards.at(card_of(port.bdf)).size();
    const auto like = cards_that(cards, [&](const auto& places) { return places.contains(place); });
    const auto more = cards_that(cards, [&](const auto& places) { return places.size() > own; });
    const bool odd = own == 0 || (like * 2 > cards.size() && more * 2 > cards.size());
    return odd ? like : 0;
}

// Cards beside GPUs, by the model of their NICs.
class CardsBesideGpus {
   public:
    explicit CardsBesideGpus(const Context& context, const TrainingPorts& training)
        : context_(context) {
        std::set<std::string> nics;
        for (const auto& device : training.devices) {
            const bool own = !context.fs().link(pci_path(device.bdf, "/physfn"));
            if (device.verbs && own) {
                nics.insert(device.bdf);
            }
        }
        near_ = nics_beside_gpus(context.machine, nics);
    }

    void add_training(const RdmaPort& port) {
        if (!context_.leaves_out(port.bdf) && near_.contains(port.bdf)) {
            cards_of(port)[card_of(port.bdf)].insert(place_on_card(port));
        }
    }

    void add_off(const RdmaPort& port) {
        if (near_.contains(port.bdf)) {
            cards_of(port)[card_of(port.bdf)];
        }
    }

    std::size_t like(const RdmaPort& port) {
        return near_.contains(port.bdf) ? like_it(cards_of(port), port) : 0;
    }

   private:
    PlacesByCard& cards_of(const RdmaPort& port) {
        return by_kind_[kind_of_nic(context_.machine, port.bdf)];
    }

    const Context& context_;
    std::set<std::string> near_;
    std::map<std::string, PlacesByCard> by_kind_;
};

}  // namespace

std::vector<OddPort> odd_ports(const Context& context, const TrainingPorts& training) {
    std::vector<OddPort> out;
    if (training.off.empty() || training.ports.empty()) {
        return out;
    }
    CardsBesideGpus cards(context, training);
    for (const auto& port : training.ports) {
        cards.add_training(port);
    }
    for (const auto& port : training.off) {
        cards.add_off(port);
    }
    for (const auto& port : training.off) {
        if (const auto like = cards.like(port); like > 0) {
            out.push_back({port, like});
        }
    }
    return out;
}

}  // namespace rocenv
