package org.example.store;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.ObjectReader;
import org.ibidem.serial.ObjectWriter;

/// An order goes into a file and comes back: serialization alone, without any network.
public final class Store {
    record Item(String name, int count) implements Serializable {}

    record Order(UUID id, List<Item> items) implements Serializable {}

    private Store() {}

    /// Into the file that is named.
    public static void main(String[] args) throws IOException, ClassNotFoundException {
        var file = Path.of(args[0]);
        var order = new Order(new UUID(1, 2), List.of(new Item("nut", 100), new Item("bolt", 99)));
        try (var out = ObjectWriter.to(Files.newOutputStream(file))) {
            out.write(order);
        }
        var policy = ObjectPolicy.NOTHING_BUT_VALUES.allow(Order.class).allow(Item.class);
        try (var in = ObjectReader.from(Files.newInputStream(file), policy)) {
            System.out.println(order.equals(in.read()) + ", " + Files.size(file) + " bytes");
        }
    }
}
