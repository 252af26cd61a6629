package org.ibidem.apps.life;

import java.util.List;
import java.util.Optional;
import org.ibidem.topology.NodeId;

/// Who does what in an era.
///
/// @param generation that it begins with
/// @param floor the generation to fall back to: what is older is needed no more
/// @param steps generations to compute; 0: the rows are only to be brought together
/// @param blocks who computes which rows, from the top
/// @param transfers who sends which rows to whom before
record Plan(int generation, int floor, int steps, List<Block> blocks, List<Transfer> transfers) {
    /// Rows that one member computes.
    ///
    /// @param owner whose they are
    /// @param first the first one
    /// @param count how many
    record Block(NodeId owner, int first, int count) {}

    /// Rows that one member sends to another.
    ///
    /// @param from who has them
    /// @param to who computes them
    /// @param first the first one
    /// @param count how many
    record Transfer(NodeId from, NodeId to, int first, int count) {}

    Plan {
        blocks = List.copyOf(blocks);
        transfers = List.copyOf(transfers);
    }

    /// Where in the list a member's block is; none: it has none.
    Optional<Integer> place(NodeId member) {
        for (int i = 0; i < blocks.size(); i++) {
            if (blocks.get(i).owner().equals(member)) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }

    /// The block so many below this one; the last one is above the first.
    Block block(int place, int below) {
        return blocks.get(Math.floorMod(place + below, blocks.size()));
    }

    /// Whether the era needs this member.
    boolean needs(NodeId member) {
        return place(member).isPresent()
                || transfers.stream().anyMatch(transfer -> transfer.from().equals(member));
    }
}
