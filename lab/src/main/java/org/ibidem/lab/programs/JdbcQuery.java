package org.ibidem.lab.programs;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.zip.CRC32;

/// A client of PostgreSQL by its JDBC driver: `JdbcQuery HOST PORT COUNT`. Tables, a transaction
/// that is rolled back, batches, a large value, an error of the server; then queries of a row.
public final class JdbcQuery {
    private static final int ROWS = 500;
    private static final int LARGE = 400_000;
    private static final String UNIQUE_VIOLATION = "23505";

    private JdbcQuery() {}

    /// Asks.
    ///
    /// @param args host, port, how many queries to time
    public static void main(String[] args) throws Exception {
        var url = "jdbc:postgresql://%s:%s/postgres?user=postgres".formatted(args[0], args[1]);
        try (var connection = DriverManager.getConnection(url)) {
            fill(connection);
            look(connection);
            undo(connection);
            fail(connection);
            large(connection);
            System.out.println("checked");
            query(connection, Integer.parseInt(args[2]));
        }
    }

    private static void fill(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("drop table if exists squares");
            statement.execute("create table squares (n int primary key, square bigint, note text)");
        }
        try (var insert = connection.prepareStatement("insert into squares values (?, ?, ?)")) {
            for (int n = 0; n < ROWS; n++) {
                insert.setInt(1, n);
                insert.setLong(2, (long) n * n);
                insert.setString(3, "row " + n);
                insert.addBatch();
            }
            Exchanges.same(insert.executeBatch().length, ROWS);
        }
    }

    private static void look(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (var all = connection.prepareStatement("select * from squares order by n")) {
            all.setFetchSize(50); // by a cursor, in several exchanges
            int n = 0;
            try (var rows = all.executeQuery()) {
                for (; rows.next(); n++) {
                    Exchanges.same(rows.getInt(1), n);
                    Exchanges.same(rows.getLong(2), (long) n * n);
                    Exchanges.same(rows.getString(3), "row " + n);
                }
            }
            Exchanges.same(n, ROWS);
        }
        connection.commit();
    }

    private static void undo(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            Exchanges.same(statement.executeUpdate("delete from squares"), ROWS);
            connection.rollback();
        }
        connection.setAutoCommit(true);
        Exchanges.same(number(connection, "select count(*) from squares"), (long) ROWS);
    }

    private static void fail(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("insert into squares values (1, 1, 'again')");
            throw new IllegalStateException("a key was taken twice");
        } catch (SQLException e) {
            Exchanges.same(String.valueOf(e.getSQLState()), UNIQUE_VIOLATION);
        }
    }

    private static void large(Connection connection) throws SQLException {
        var bytes = new byte[LARGE];
        for (int i = 0; i < LARGE; i++) {
            bytes[i] = (byte) ((i * 31) >> 3);
        }
        try (var statement = connection.prepareStatement("select ?::bytea")) {
            statement.setBytes(1, bytes);
            try (var rows = statement.executeQuery()) {
                rows.next();
                Exchanges.same(sum(rows.getBytes(1)), sum(bytes));
            }
        }
    }

    private static long sum(byte[] bytes) {
        var sum = new CRC32();
        sum.update(bytes);
        return sum.getValue();
    }

    private static long number(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static void query(Connection connection, int count) throws Exception {
        try (PreparedStatement one =
                connection.prepareStatement("select square from squares where n = ?")) {
            Exchanges.time(
                    count,
                    i -> {
                        long n = i % ROWS;
                        one.setInt(1, (int) n);
                        try (var rows = one.executeQuery()) {
                            rows.next();
                            Exchanges.same(rows.getLong(1), n * n);
                        }
                    });
        }
    }
}
