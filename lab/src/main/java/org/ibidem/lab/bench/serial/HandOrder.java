package org.ibidem.lab.bench.serial;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// The loops for orders, without a table of what is shared.
final class HandOrder {
    private static final List<Order.State> STATES = List.of(Order.State.values());

    private final HandBytes bytes;

    HandOrder(HandBytes bytes) {
        this.bytes = bytes;
    }

    private void write(Order.Address address) {
        bytes.putText(address.street());
        bytes.putText(address.city());
        bytes.putText(address.code());
        bytes.putText(address.country());
    }

    private Order.Address address() {
        return new Order.Address(
                bytes.getText(), bytes.getText(), bytes.getText(), bytes.getText());
    }

    @SuppressWarnings("EnumOrdinal") // both ends are this process
    private void write(Order.State state) {
        bytes.page[bytes.at++] = (byte) state.ordinal();
    }

    private Order.State state() {
        return STATES.get(bytes.page[bytes.at++]);
    }

    private void write(List<String> texts) {
        bytes.putInt(texts.size());
        for (var text : texts) {
            bytes.putText(text);
        }
    }

    private List<String> texts() {
        int size = bytes.getInt();
        var texts = new ArrayList<String>(size);
        for (int i = 0; i < size; i++) {
            texts.add(bytes.getText());
        }
        return texts;
    }

    void write(Order order) {
        bytes.putLong(order.id);
        var customer = order.customer;
        bytes.putLong(customer.id());
        bytes.putText(customer.name());
        bytes.putText(customer.mail());
        write(customer.billing());
        write(customer.shipping());
        bytes.putInt(order.lines.size());
        for (var line : order.lines) {
            write(line);
        }
        bytes.putInt(order.totals.size());
        for (var total : order.totals.entrySet()) {
            bytes.putText(total.getKey());
            bytes.putLong(total.getValue());
        }
        write(order.state);
        bytes.putLong(order.created);
        write(order.notes);
    }

    private void write(Order.Line line) {
        bytes.putInt(line.number);
        bytes.putText(line.article);
        bytes.putText(line.text);
        bytes.putInt(line.count);
        bytes.putLong(line.price.units());
        bytes.putInt(line.price.nanos());
        bytes.putText(line.price.currency());
        write(line.state);
        bytes.putInt(line.attributes.size());
        for (var attribute : line.attributes.entrySet()) {
            bytes.putText(attribute.getKey());
            bytes.putText(attribute.getValue());
        }
        write(line.labels);
    }

    Order read() {
        var order = new Order();
        order.id = bytes.getLong();
        order.customer =
                new Order.Customer(
                        bytes.getLong(), bytes.getText(), bytes.getText(), address(), address());
        int lines = bytes.getInt();
        order.lines = new ArrayList<>(lines);
        for (int i = 0; i < lines; i++) {
            order.lines.add(line());
        }
        order.totals = new HashMap<>();
        for (int left = bytes.getInt(); left > 0; left--) {
            order.totals.put(bytes.getText(), bytes.getLong());
        }
        order.state = state();
        order.created = bytes.getLong();
        order.notes = texts();
        return order;
    }

    private Order.Line line() {
        var line = new Order.Line();
        line.number = bytes.getInt();
        line.article = bytes.getText();
        line.text = bytes.getText();
        line.count = bytes.getInt();
        line.price = new Order.Price(bytes.getLong(), bytes.getInt(), bytes.getText());
        line.state = state();
        line.attributes = new HashMap<>();
        for (int left = bytes.getInt(); left > 0; left--) {
            line.attributes.put(bytes.getText(), bytes.getText());
        }
        line.labels = texts();
        return line;
    }
}
