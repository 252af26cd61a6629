package org.ibidem.lab.bench.serial;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The messages of an order: fields are numbered as they stand in the classes.
final class ProtobufOrder {
    private static final List<Order.State> STATES = List.of(Order.State.values());

    private final ProtobufSizes sizes;

    ProtobufOrder(ProtobufSizes sizes) {
        this.sizes = sizes;
    }

    private static int texts(int number, List<String> texts) {
        int size = 0;
        for (var text : texts) {
            size += CodedOutputStream.computeStringSize(number, text);
        }
        return size;
    }

    private int size(Order.Address address) {
        return sizes.set(
                sizes.slot(),
                CodedOutputStream.computeStringSize(1, address.street())
                        + CodedOutputStream.computeStringSize(2, address.city())
                        + CodedOutputStream.computeStringSize(3, address.code())
                        + CodedOutputStream.computeStringSize(4, address.country()));
    }

    private int size(Order.Customer customer) {
        int slot = sizes.slot();
        return sizes.set(
                slot,
                CodedOutputStream.computeInt64Size(1, customer.id())
                        + CodedOutputStream.computeStringSize(2, customer.name())
                        + CodedOutputStream.computeStringSize(3, customer.mail())
                        + ProtobufSizes.field(size(customer.billing()))
                        + ProtobufSizes.field(size(customer.shipping())));
    }

    private int size(Order.Price price) {
        return sizes.set(
                sizes.slot(),
                CodedOutputStream.computeInt64Size(1, price.units())
                        + CodedOutputStream.computeInt32Size(2, price.nanos())
                        + CodedOutputStream.computeStringSize(3, price.currency()));
    }

    private int size(Map.Entry<String, String> entry) {
        return sizes.set(
                sizes.slot(),
                CodedOutputStream.computeStringSize(1, entry.getKey())
                        + CodedOutputStream.computeStringSize(2, entry.getValue()));
    }

    private int total(Map.Entry<String, Long> entry) {
        return sizes.set(
                sizes.slot(),
                CodedOutputStream.computeStringSize(1, entry.getKey())
                        + CodedOutputStream.computeInt64Size(2, entry.getValue()));
    }

    @SuppressWarnings("EnumOrdinal") // numbered as they stand
    private int size(Order.Line line) {
        int slot = sizes.slot();
        int size =
                CodedOutputStream.computeInt32Size(1, line.number)
                        + CodedOutputStream.computeStringSize(2, line.article)
                        + CodedOutputStream.computeStringSize(3, line.text)
                        + CodedOutputStream.computeInt32Size(4, line.count)
                        + ProtobufSizes.field(size(line.price))
                        + CodedOutputStream.computeEnumSize(6, line.state.ordinal());
        for (var attribute : line.attributes.entrySet()) {
            size += ProtobufSizes.field(size(attribute));
        }
        return sizes.set(slot, size + texts(8, line.labels));
    }

    @SuppressWarnings("EnumOrdinal") // as above
    int size(Order order) {
        int slot = sizes.slot();
        int size =
                CodedOutputStream.computeInt64Size(1, order.id)
                        + ProtobufSizes.field(size(order.customer));
        for (var line : order.lines) {
            size += ProtobufSizes.field(size(line));
        }
        for (var total : order.totals.entrySet()) {
            size += ProtobufSizes.field(total(total));
        }
        size +=
                CodedOutputStream.computeEnumSize(5, order.state.ordinal())
                        + CodedOutputStream.computeInt64Size(6, order.created)
                        + texts(7, order.notes);
        return sizes.set(slot, size);
    }

    private static void write(CodedOutputStream out, int number, List<String> texts)
            throws IOException {
        for (var text : texts) {
            out.writeString(number, text);
        }
    }

    private void write(CodedOutputStream out, int number, Order.Address address)
            throws IOException {
        sizes.begin(out, number);
        sizes.next();
        out.writeString(1, address.street());
        out.writeString(2, address.city());
        out.writeString(3, address.code());
        out.writeString(4, address.country());
    }

    private void write(CodedOutputStream out, Order.Customer customer) throws IOException {
        sizes.begin(out, 2);
        sizes.next();
        out.writeInt64(1, customer.id());
        out.writeString(2, customer.name());
        out.writeString(3, customer.mail());
        write(out, 4, customer.billing());
        write(out, 5, customer.shipping());
    }

    @SuppressWarnings("EnumOrdinal") // as above
    private void write(CodedOutputStream out, Order.Line line) throws IOException {
        sizes.begin(out, 3);
        sizes.next();
        out.writeInt32(1, line.number);
        out.writeString(2, line.article);
        out.writeString(3, line.text);
        out.writeInt32(4, line.count);
        sizes.begin(out, 5);
        sizes.next();
        out.writeInt64(1, line.price.units());
        out.writeInt32(2, line.price.nanos());
        out.writeString(3, line.price.currency());
        out.writeEnum(6, line.state.ordinal());
        for (var attribute : line.attributes.entrySet()) {
            sizes.begin(out, 7);
            sizes.next();
            out.writeString(1, attribute.getKey());
            out.writeString(2, attribute.getValue());
        }
        write(out, 8, line.labels);
    }

    @SuppressWarnings("EnumOrdinal") // as above
    void write(CodedOutputStream out, Order order) throws IOException {
        sizes.next();
        out.writeInt64(1, order.id);
        write(out, order.customer);
        for (var line : order.lines) {
            write(out, line);
        }
        for (var total : order.totals.entrySet()) {
            sizes.begin(out, 4);
            sizes.next();
            out.writeString(1, total.getKey());
            out.writeInt64(2, total.getValue());
        }
        out.writeEnum(5, order.state.ordinal());
        out.writeInt64(6, order.created);
        write(out, 7, order.notes);
    }

    private static Order.Address address(CodedInputStream in) throws IOException {
        int outer = in.pushLimit(in.readRawVarint32());
        var texts = new String[] {"", "", "", ""};
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            texts[WireFormat.getTagFieldNumber(tag) - 1] = in.readStringRequireUtf8();
        }
        in.popLimit(outer);
        return new Order.Address(texts[0], texts[1], texts[2], texts[3]);
    }

    private static Order.Customer customer(CodedInputStream in) throws IOException {
        int outer = in.pushLimit(in.readRawVarint32());
        long id = 0;
        var name = "";
        var mail = "";
        Order.Address billing = null;
        Order.Address shipping = null;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> id = in.readInt64();
                case 2 -> name = in.readStringRequireUtf8();
                case 3 -> mail = in.readStringRequireUtf8();
                case 4 -> billing = address(in);
                case 5 -> shipping = address(in);
                default -> in.skipField(tag);
            }
        }
        in.popLimit(outer);
        return new Order.Customer(
                id, name, mail, Objects.requireNonNull(billing), Objects.requireNonNull(shipping));
    }

    private static Order.Price price(CodedInputStream in) throws IOException {
        int outer = in.pushLimit(in.readRawVarint32());
        long units = 0;
        int nanos = 0;
        var currency = "";
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> units = in.readInt64();
                case 2 -> nanos = in.readInt32();
                case 3 -> currency = in.readStringRequireUtf8();
                default -> in.skipField(tag);
            }
        }
        in.popLimit(outer);
        return new Order.Price(units, nanos, currency);
    }

    private static void attribute(CodedInputStream in, Map<String, String> into)
            throws IOException {
        int outer = in.pushLimit(in.readRawVarint32());
        var key = "";
        var value = "";
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> key = in.readStringRequireUtf8();
                case 2 -> value = in.readStringRequireUtf8();
                default -> in.skipField(tag);
            }
        }
        in.popLimit(outer);
        into.put(key, value);
    }

    private static void total(CodedInputStream in, Map<String, Long> into) throws IOException {
        int outer = in.pushLimit(in.readRawVarint32());
        var key = "";
        long value = 0;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> key = in.readStringRequireUtf8();
                case 2 -> value = in.readInt64();
                default -> in.skipField(tag);
            }
        }
        in.popLimit(outer);
        into.put(key, value);
    }

    private static Order.Line line(CodedInputStream in) throws IOException {
        int outer = in.pushLimit(in.readRawVarint32());
        var line = new Order.Line();
        line.attributes = new HashMap<>();
        line.labels = new ArrayList<>();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> line.number = in.readInt32();
                case 2 -> line.article = in.readStringRequireUtf8();
                case 3 -> line.text = in.readStringRequireUtf8();
                case 4 -> line.count = in.readInt32();
                case 5 -> line.price = price(in);
                case 6 -> line.state = STATES.get(in.readEnum());
                case 7 -> attribute(in, line.attributes);
                case 8 -> line.labels.add(in.readStringRequireUtf8());
                default -> in.skipField(tag);
            }
        }
        in.popLimit(outer);
        return line;
    }

    Order read(CodedInputStream in) throws IOException {
        var order = new Order();
        order.lines = new ArrayList<>();
        order.totals = new HashMap<>();
        order.notes = new ArrayList<>();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> order.id = in.readInt64();
                case 2 -> order.customer = customer(in);
                case 3 -> order.lines.add(line(in));
                case 4 -> total(in, order.totals);
                case 5 -> order.state = STATES.get(in.readEnum());
                case 6 -> order.created = in.readInt64();
                case 7 -> order.notes.add(in.readStringRequireUtf8());
                default -> in.skipField(tag);
            }
        }
        return order;
    }
}
