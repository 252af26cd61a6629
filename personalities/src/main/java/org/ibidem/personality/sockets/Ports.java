package org.ibidem.personality.sockets;

/// Some ports.
record Ports(int first, int last) {
    private static final int HIGHEST = 0xFFFF;
    static final Ports ALL = new Ports(0, HIGHEST);

    /// @param text `*`, `8080` or `8000-8999`
    static Ports parse(String rule, String text) {
        if (text.equals("*")) {
            return ALL;
        }
        if (!text.matches("\\d{1,5}(-\\d{1,5})?")) {
            throw new BadRule(rule, "'" + text + "' is no port: 8080, 8000-8999 or *");
        }
        int dash = text.indexOf('-');
        int first = Integer.parseInt(dash < 0 ? text : text.substring(0, dash));
        int last = dash < 0 ? first : Integer.parseInt(text.substring(dash + 1));
        if (last > HIGHEST || first > last) {
            throw new BadRule(rule, "'" + text + "' are no ports: they go from 0 to 65535");
        }
        return new Ports(first, last);
    }

    boolean contains(int port) {
        return first <= port && port <= last;
    }
}
