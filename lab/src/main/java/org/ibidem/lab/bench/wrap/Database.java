package org.ibidem.lab.bench.wrap;

import java.io.IOException;
import org.ibidem.lab.programs.Postgres;

/// A PostgreSQL of its own, wrapped, with the tables of pgbench.
final class Database {
    private final String port;

    /// Starts it, and fills the tables.
    Database(Programs programs, String port) throws IOException, InterruptedException {
        this.port = port;
        var server = new Postgres("0.0.0.0/0");
        programs.after(server);
        var start = server.command("*", port).toArray(String[]::new);
        programs.serve("ready to accept connections", start);
        server.fill(port);
    }

    /// Whether there can be one.
    static boolean there() throws IOException {
        return Programs.there("pgbench", "setpriv", "chown") && Postgres.there();
    }

    /// What asks it: reading transactions, four at a time.
    String[] client(String host, String at, int transactions) {
        return new String[] {
            "pgbench",
            "-h",
            host,
            "-p",
            at,
            "-U",
            "postgres",
            "-S",
            "-n",
            "-c",
            "4",
            "-j",
            "2",
            "-t",
            transactions + "",
            "postgres"
        };
    }

    /// Where it listens.
    String port() {
        return port;
    }
}
