package org.ibidem.cli.run;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Locale;
import org.ibidem.satin.trace.Chart;
import org.ibidem.satin.trace.Chart.Row;
import org.ibidem.satin.trace.Chart.State;

/// Draws what workers did: a band for each, in which each column is as full of a colour as the
/// worker spent of that time on it, and above it a tick where it has stolen a job.
final class Timelines {
    /// Of time, in pixels.
    static final int COLUMNS = 1100;

    /// Workers that get a band; of more it is said how many there are.
    private static final int MOST_ROWS = 128;

    private static final int MARGIN = 24;
    private static final int TOP = 84;
    private static final int BAND = 24;
    private static final int TICK = 7;
    private static final int ROW = BAND + TICK + 8;
    private static final int AXIS = 44;
    private static final int NAMES = 190;
    private static final int VALUES = 140;
    private static final int KEY = 11;
    private static final int MOST_TICKS = 11;
    private static final double NANOS = 1e9;

    private static final Color INK = new Color(0x22, 0x22, 0x22);
    private static final Color PALE = new Color(0x8A, 0x8A, 0x8A);
    private static final Color GRID = new Color(0xE2, 0xE2, 0xE2);
    private static final Color IDLE = new Color(0xEC, 0xE7, 0xDC);
    private static final Color STEALING = new Color(0xE0, 0x8A, 0x1E);
    private static final Color WRITING = new Color(0x6B, 0x5B, 0x95);
    private static final Color COMPUTING = new Color(0x2E, 0x7D, 0x4F);
    private static final Color FAR = new Color(0xC0, 0x1C, 0x28);

    private final String title;
    private final Chart chart;
    private final List<Row> rows;

    Timelines(String title, Chart chart) {
        this.title = title;
        this.chart = chart;
        this.rows = chart.rows().subList(0, Math.min(MOST_ROWS, chart.rows().size()));
    }

    BufferedImage draw() {
        int width = MARGIN + NAMES + COLUMNS + VALUES + MARGIN;
        int height = TOP + rows.size() * ROW + AXIS;
        var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        var g = image.createGraphics();
        g.setRenderingHint(
                RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        g.setColor(Color.WHITE);
        g.fillRect(0, 0, width, height);
        heading(g);
        axis(g, TOP + rows.size() * ROW);
        for (int i = 0; i < rows.size(); i++) {
            row(g, rows.get(i), TOP + i * ROW);
        }
        g.dispose();
        return image;
    }

    private void heading(Graphics2D g) {
        text(g, title, MARGIN, 32, INK, Font.BOLD, 20);
        var about =
                String.format(
                        Locale.ROOT,
                        "%d workers, %.2f s, %d stolen jobs",
                        chart.rows().size(),
                        chart.nanos() / NANOS,
                        chart.steals());
        if (chart.rows().size() > rows.size()) {
            about += ", the first " + rows.size() + " workers are shown";
        }
        if (chart.dropped() > 0) {
            about += ", " + chart.dropped() + " events dropped: white where they were";
        }
        int after = MARGIN + g.getFontMetrics().stringWidth(title) + 18;
        text(g, about, after, 32, INK, Font.PLAIN, 15);
        int x = MARGIN;
        for (var state : State.values()) {
            x = key(g, x, KEY, name(state), colour(state));
        }
        x = key(g, x, 2, "has stolen a job", INK);
        key(g, x, 2, "of another site", FAR);
    }

    private static int key(Graphics2D g, int x, int width, String what, Color colour) {
        g.setColor(colour);
        g.fillRect(x, 48, width, KEY);
        text(g, what, x + width + 6, 58, INK, Font.PLAIN, 13);
        return x + width + 26 + g.getFontMetrics().stringWidth(what);
    }

    private static String name(State state) {
        return switch (state) {
            case COMPUTING -> "computes";
            case WRITING -> "writes to shared objects";
            case STEALING -> "steals: waits for an answer";
            case IDLE -> "idle";
        };
    }

    private static Color colour(State state) {
        return switch (state) {
            case COMPUTING -> COMPUTING;
            case WRITING -> WRITING;
            case STEALING -> STEALING;
            case IDLE -> IDLE;
        };
    }

    private void axis(Graphics2D g, int bottom) {
        double seconds = chart.nanos() / NANOS;
        double step = step(seconds);
        for (int i = 0; i * step <= seconds; i++) {
            int x = MARGIN + NAMES + (int) Math.round(i * step / seconds * (COLUMNS - 1));
            g.setColor(GRID);
            g.fillRect(x, TOP - 4, 1, bottom - TOP + 4);
            var label = label(i * step, step);
            g.setFont(font(Font.PLAIN, 12));
            int left = x - g.getFontMetrics().stringWidth(label) / 2;
            text(g, label, left, bottom + 18, PALE, Font.PLAIN, 12);
        }
        text(g, "s", MARGIN + NAMES + COLUMNS + 14, bottom + 18, PALE, Font.PLAIN, 12);
    }

    /// 1, 2 or 5 times a power of ten, so that there are not too many of them.
    static double step(double seconds) {
        double power = Math.pow(10, Math.floor(Math.log10(seconds / MOST_TICKS)));
        for (int times : new int[] {1, 2, 5}) {
            if (seconds / (times * power) < MOST_TICKS) {
                return times * power;
            }
        }
        return 10 * power;
    }

    private static String label(double seconds, double step) {
        int digits = Math.max(0, (int) -Math.floor(Math.log10(step) + 1e-9));
        return String.format(Locale.ROOT, "%." + digits + "f", seconds);
    }

    private void row(Graphics2D g, Row row, int y) {
        var name = row.of().rank() + " " + row.worker();
        int middle = y + TICK + BAND / 2 + 5;
        text(g, name, MARGIN, middle, INK, Font.BOLD, 13);
        int after = MARGIN + g.getFontMetrics().stringWidth(name) + 8;
        g.setClip(MARGIN, y, NAMES - 8, ROW);
        text(g, row.of().site(), after, middle, PALE, Font.PLAIN, 12);
        g.setClip(null);
        int left = MARGIN + NAMES;
        for (int column = 0; column < COLUMNS; column++) {
            band(g, row, column, left + column, y + TICK);
            if (row.near()[column] + row.far()[column] > 0) {
                g.setColor(row.far()[column] > 0 ? FAR : INK);
                g.fillRect(left + column, y, 1, TICK);
            }
        }
        var value =
                String.format(
                        Locale.ROOT,
                        "%.0f %%, %d steals",
                        100 * row.share(State.COMPUTING),
                        row.steals());
        text(g, value, left + COLUMNS + 14, middle, INK, Font.PLAIN, 13);
    }

    /// From its bottom up, in the order of the states.
    private static void band(Graphics2D g, Row row, int column, int x, int top) {
        double below = 0;
        for (var share : row.shares().entrySet()) {
            double above = below + share.getValue()[column];
            int from = (int) Math.round(below * BAND);
            int to = (int) Math.round(above * BAND);
            g.setColor(colour(share.getKey()));
            g.fillRect(x, top + BAND - to, 1, to - from);
            below = above;
        }
    }

    private static Font font(int style, int size) {
        return new Font(Font.SANS_SERIF, style, size);
    }

    private static void text(
            Graphics2D g, String text, int x, int y, Color colour, int style, int size) {
        g.setFont(font(style, size));
        g.setColor(colour);
        g.drawString(text, x, y);
    }
}
