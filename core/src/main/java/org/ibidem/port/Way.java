package org.ibidem.port;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.config.Layer;
import org.ibidem.config.Notation;
import org.ibidem.link.Line;
import org.ibidem.peer.Course;

/// The way of a connection's data, and why it is not another.
///
/// @param stack what its link is made of: filters, and below them the network
/// @param course by which connect method the two ends have met, with whom, since when
/// @param onTrial connect methods by which a link to the same node is being tried at this moment
/// @param passedOver the stacks that were to be preferred, each with the reason why it is not this
///   one: `shm: no, it runs as another user`
/// @param decisions how the line is used, the last that each part of the stack decided about the
///   peer or its site: `auto: the round trip is 43.1 ms`
public record Way(
        String stack,
        Course course,
        List<String> onTrial,
        List<String> passedOver,
        List<String> decisions) {
    /// Copies the lists.
    public Way {
        onTrial = List.copyOf(onTrial);
        passedOver = List.copyOf(passedOver);
        decisions = List.copyOf(decisions);
    }

    /// The decisions about a line that are about this stack.
    ///
    /// @param decided what `auto` has put over the network, and why; or an empty text
    public static List<String> decisions(String stack, String decided, Line line) {
        var all = new ArrayList<String>();
        if (!decided.isEmpty()) {
            all.add(decided);
        }
        var names = new ArrayList<String>();
        for (var at = Notation.parse(stack); at != null; at = at.lower()) {
            names.add(at.name() + ":");
        }
        line.decisions().stream()
                .filter(each -> names.stream().anyMatch(each::startsWith))
                .forEach(all::add);
        return all;
    }

    /// The network driver with its options, as `tcp`.
    public String network() {
        return layers().getLast();
    }

    /// The filters above it with their options, from the top down.
    public List<String> filters() {
        var layers = layers();
        return layers.subList(0, layers.size() - 1);
    }

    private List<String> layers() {
        var layers = new ArrayList<String>();
        for (var at = Notation.parse(stack); at != null; at = at.lower()) {
            layers.add(new Layer(at.name(), at.arguments(), null, at.column()).toString());
        }
        return layers;
    }

    /// `checksum > tcp by splice to 10.0.0.2:4001 (shm: no, another host; trying direct)`
    @Override
    public String toString() {
        var more = new ArrayList<>(passedOver);
        more.addAll(decisions);
        if (!onTrial.isEmpty()) {
            more.add("trying " + String.join(", ", onTrial));
        }
        return stack + course + (more.isEmpty() ? "" : " (" + String.join("; ", more) + ")");
    }
}
