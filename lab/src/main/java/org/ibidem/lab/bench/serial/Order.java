package org.ibidem.lab.bench.serial;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// An order of a hundred lines: strings, lists, maps, enums and records in records.
@SuppressWarnings({"NullAway.Init", "serial"}) // whoever makes one fills it; nothing is made twice
final class Order implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int LINES = 100;

    long id;
    Customer customer;
    List<Line> lines;
    Map<String, Long> totals;
    State state;
    long created;
    List<String> notes;

    enum State {
        OPEN,
        PAID,
        SENT
    }

    record Address(String street, String city, String code, String country)
            implements Serializable {}

    record Customer(long id, String name, String mail, Address billing, Address shipping)
            implements Serializable {}

    record Price(long units, int nanos, String currency) implements Serializable {}

    /// One line.
    @SuppressWarnings({"NullAway.Init", "serial"}) // as above
    static final class Line implements Serializable {
        private static final long serialVersionUID = 1L;

        int number;
        String article;
        String text;
        int count;
        Price price;
        State state;
        Map<String, String> attributes;
        List<String> labels;
    }

    /// All of it, in an order that does not depend on how maps are laid out.
    String text() {
        var text = new StringBuilder();
        text.append(List.of(id, customer, state, created, notes, new TreeMap<>(totals)));
        for (var line : lines) {
            text.append(line.number).append(line.article).append(line.text).append(line.count);
            text.append(line.price).append(line.state).append(line.labels);
            text.append(new TreeMap<>(line.attributes));
        }
        return text.toString();
    }

    /// The one that is measured.
    static Order sample() {
        var order = new Order();
        order.lines = new ArrayList<>();
        order.totals = new HashMap<>();
        order.state = State.OPEN;
        order.notes = new ArrayList<>();
        order.id = 4_711;
        var billing = new Address("12 Long Street", "Amsterdam", "1081 HV", "NL");
        var shipping = new Address("3 Harbour Road", "Rotterdam", "3011 AA", "NL");
        order.customer = new Customer(99, "Jan Jansen", "jan@example.com", billing, shipping);
        for (int i = 0; i < LINES; i++) {
            var line = new Line();
            line.number = i;
            line.article = "article-" + i;
            line.text = "a description of what was ordered, number " + i;
            line.count = i % 7 + 1;
            line.price = new Price(10L + i, i * 1000, "EUR");
            line.state = i % 2 == 0 ? State.PAID : State.SENT;
            line.attributes = new HashMap<>();
            line.labels = new ArrayList<>();
            line.attributes.put("colour", "blue" + i % 5);
            line.attributes.put("size", "xl" + i % 3);
            line.labels.add("new" + i % 4);
            line.labels.add("sale" + i % 6);
            order.lines.add(line);
        }
        order.totals.put("net", 123_456L);
        order.totals.put("tax", 23_456L);
        order.created = 1_763_700_000_000L;
        order.notes.add("ring twice");
        order.notes.add("the dog is friendly");
        return order;
    }

    /// One in whose lines no short string comes twice, so that nobody wins by knowing one again.
    static Order distinct() {
        var order = sample();
        for (var line : order.lines) {
            int i = line.number;
            line.price = new Price(10L + i, i * 1000, "C" + i);
            line.attributes.clear();
            line.attributes.put("k" + i, "v" + i);
            line.attributes.put("l" + i, "w" + i);
            line.labels.clear();
            line.labels.add("n" + i);
            line.labels.add("s" + i);
        }
        return order;
    }
}
