package org.ibidem.stack;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.ibidem.link.Catalog;
import org.ibidem.link.Domain;
import org.ibidem.link.Driver;
import org.ibidem.link.Reach;
import org.ibidem.task.Tasks;

/// The domains of one node, one for each network driver.
public final class Domains implements AutoCloseable {
    private final Map<String, Domain> domains = new ConcurrentSkipListMap<>();
    private final Tasks tasks;
    private final boolean open;

    /// Of all network drivers of a catalog.
    ///
    /// @param tasks of the node
    /// @param open whether peers on other machines may connect to the node
    public Domains(Catalog catalog, Tasks tasks, boolean open) {
        this.tasks = tasks;
        this.open = open;
        catalog.drivers().forEach(this::add);
    }

    /// Begins one more. What it has to tell peers of its place is told to those only that ask from
    /// now on where this node is.
    public void add(Driver driver) {
        domains.put(driver.name(), driver.domain(tasks, open));
    }

    /// The one of this driver.
    ///
    /// @throws IllegalArgumentException when the driver is not in the catalog
    public Domain of(Driver driver) {
        var domain = domains.get(driver.name());
        if (domain == null) {
            throw new IllegalArgumentException(
                    "this node was begun without the driver '" + driver.name() + "'");
        }
        return domain;
    }

    /// Those that can also do this.
    public <T> Stream<T> able(Class<T> ability) {
        return domains.values().stream().filter(ability::isInstance).map(ability::cast);
    }

    /// What peers have to know, by the name of the driver; without those that have nothing to say.
    public Map<String, String> places() {
        var places = new HashMap<String, String>();
        domains.forEach((name, domain) -> {
            var place = domain.place();
            if (!place.isEmpty()) {
                places.put(name, place);
            }
        });
        return places;
    }

    /// Can a peer be reached by this driver?
    ///
    /// @param places what the peer has published
    public Reach reach(String driver, Map<String, String> places) {
        var domain = domains.get(driver);
        return domain == null
                ? new Reach.No("there is no driver '" + driver + "'")
                : domain.reach(places.getOrDefault(driver, ""));
    }

    @Override
    public void close() {
        domains.values().forEach(Domain::close);
    }
}
