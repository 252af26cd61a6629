package org.ibidem.hub.relay;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Frames that came one behind the other and go to one spoke: whose each is, and how long.
final class Run {
    private static final int FEW = 64;

    private Flow[] flows = new Flow[FEW];
    private int[] bytes = new int[FEW];
    private int[] due = new int[FEW];
    private int size;
    private @Nullable Spoke to;

    void begin(Spoke target) {
        to = target;
        size = 0;
    }

    @Nullable Spoke to() {
        return to;
    }

    void add(Flow flow, int length) {
        if (size == flows.length) {
            flows = Arrays.copyOf(flows, 2 * size);
            bytes = Arrays.copyOf(bytes, 2 * size);
            due = Arrays.copyOf(due, 2 * size);
        }
        flows[size] = flow;
        bytes[size++] = length;
    }

    int size() {
        return size;
    }

    Flow flow(int i) {
        return flows[i];
    }

    int bytes(int i) {
        return bytes[i];
    }

    /// What can be passed on of the credit of the flow.
    int due(int i) {
        return due[i];
    }

    void due(int i, int credit) {
        due[i] = credit;
    }

    void end() {
        to = null;
        Arrays.fill(flows, 0, size, null);
        size = 0;
    }
}
