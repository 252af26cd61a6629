package org.ibidem.lab.bench.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.image.BufferedImage;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import org.ibidem.lab.bench.plot.Recorded.Panel;
import org.ibidem.lab.bench.plot.Recorded.Row;

/// Draws one panel for each measure, in two columns: one row for each contestant on a logarithmic
/// axis, a full dot for the best decile, a ring for the median, a line over the middle eight tenths
/// of the samples.
final class Canvas {
    private static final int WIDTH = 1500;
    private static final int COLUMNS = 2;
    private static final int MARGIN = 28;
    private static final int TOP = 74;
    private static final int HEAD = 34;
    private static final int ROW = 24;
    private static final int AXIS = 46;
    private static final int NAMES = 172;
    private static final int VALUES = 76;
    private static final int DOT = 10;
    private static final double KILO = 1000;

    private static final Color SPIN = new Color(0x1D, 0x4E, 0x89);
    private static final Color SELECT = new Color(0x2E, 0x7D, 0x4F);
    private static final Color BLOCK = new Color(0x6B, 0x5B, 0x95);

    private final Recorded run;
    private final int panelWidth = (WIDTH - MARGIN * (COLUMNS + 1)) / COLUMNS;

    Canvas(Recorded run) {
        this.run = run;
    }

    BufferedImage draw() {
        int height = TOP;
        for (int first = 0; first < run.panels().size(); first += COLUMNS) {
            height += height(line(first));
        }
        var image = new BufferedImage(WIDTH, height + MARGIN / 2, BufferedImage.TYPE_INT_RGB);
        var g = Ink.begin(image);
        heading(g);
        int y = TOP;
        for (int first = 0; first < run.panels().size(); first += COLUMNS) {
            int x = MARGIN;
            for (var panel : line(first)) {
                panel(g, panel, x, y);
                x += panelWidth + MARGIN;
            }
            y += height(line(first));
        }
        g.dispose();
        return image;
    }

    private List<Panel> line(int first) {
        return run.panels().subList(first, Math.min(first + COLUMNS, run.panels().size()));
    }

    private static int height(List<Panel> line) {
        return HEAD + AXIS + ROW * line.stream().mapToInt(p -> p.rows().size()).max().orElse(0);
    }

    private void heading(Graphics2D g) {
        Ink.text(g, run.benchmark(), MARGIN, 32, Ink.DARK, Font.BOLD, 20);
        int after = MARGIN + g.getFontMetrics().stringWidth(run.benchmark()) + DOT;
        Ink.text(g, run.about(), Math.max(after, MARGIN + 120), 32, Ink.DARK, Font.PLAIN, 15);
        int x = MARGIN;
        x = key(g, x, "Ibidem", Ink.OURS);
        if (run.onlyComputes()) {
            x = key(g, x, "others", BLOCK);
        } else {
            x = key(g, x, "others: spinning", SPIN);
            x = key(g, x, "sleeping in a selector", SELECT);
            x = key(g, x, "sleeping in a read", BLOCK);
        }
        Ink.text(
                g,
                "full dot: best decile; ring: median; line: middle 80 % of the samples; logarithmic axes",
                x + 20,
                58,
                Ink.PALE,
                Font.PLAIN,
                13);
    }

    private static int key(Graphics2D g, int x, String what, Color color) {
        g.setColor(color);
        g.fill(new Ellipse2D.Double(x, 49, DOT, DOT));
        Ink.text(g, what, x + DOT + 5, 58, Ink.DARK, Font.PLAIN, 13);
        return x + DOT + 25 + g.getFontMetrics().stringWidth(what);
    }

    private void panel(Graphics2D g, Panel panel, int x, int y) {
        var better = panel.moreIsBetter() ? "more is better →" : "← less is better";
        var title = panel.measure() + ", " + panel.unit();
        Ink.text(g, title, x, y + 20, Ink.DARK, Font.BOLD, 15);
        int after = Math.max(NAMES, g.getFontMetrics().stringWidth(title) + DOT);
        int bottom = y + HEAD + ROW * panel.rows().size();
        var axis = new Axis(panel.least(), panel.most(), x + NAMES, x + panelWidth - VALUES);
        Ink.text(g, better, x + after, y + 20, Ink.PALE, Font.PLAIN, 13);
        for (double tick : axis.ticks()) {
            int at = axis.at(tick);
            g.setColor(Ink.GRID);
            g.setStroke(new BasicStroke(1));
            g.draw(new Line2D.Double(at, y + HEAD - 4, at, bottom));
            var label = label(tick);
            g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
            Ink.text(
                    g,
                    label,
                    at - g.getFontMetrics().stringWidth(label) / 2,
                    bottom + 16,
                    Ink.PALE,
                    Font.PLAIN,
                    12);
        }
        int middle = y + HEAD + ROW / 2;
        for (var row : panel.rows()) {
            row(g, row, axis, x, middle);
            middle += ROW;
        }
    }

    private void row(Graphics2D g, Row row, Axis axis, int x, int middle) {
        var color = color(row);
        Ink.text(
                g,
                row.name(),
                x,
                middle + 5,
                color,
                color.equals(Ink.OURS) ? Font.BOLD : Font.PLAIN,
                13);
        g.setColor(color);
        g.setStroke(new BasicStroke(1.2f));
        g.draw(
                new Line2D.Double(
                        axis.at(row.samples()[0]),
                        middle,
                        axis.at(row.samples()[row.samples().length - 1]),
                        middle));
        g.setStroke(new BasicStroke(1.6f));
        var median = dot(axis.at(row.median()), middle);
        g.setColor(Color.WHITE);
        g.fill(median);
        g.setColor(color);
        g.draw(median);
        g.fill(dot(axis.at(row.best()), middle));
        Ink.text(
                g,
                label(row.best()),
                x + panelWidth - VALUES + 14,
                middle + 5,
                color,
                Font.PLAIN,
                13);
    }

    private static Ellipse2D dot(int x, int y) {
        return new Ellipse2D.Double(x - DOT / 2.0, y - DOT / 2.0, DOT, DOT);
    }

    private static Color color(Row row) {
        if (row.name().startsWith("ibidem")) {
            return Ink.OURS;
        }
        return switch (row.waits()) {
            case "spin" -> SPIN;
            case "select" -> SELECT;
            default -> BLOCK;
        };
    }

    /// Three digits that count, thousands as k, millions as M.
    static String label(double value) {
        if (value >= 10 * KILO) {
            boolean millions = value >= KILO * KILO;
            return label(value / (millions ? KILO * KILO : KILO)) + (millions ? "M" : "k");
        }
        return new BigDecimal(value)
                .round(new MathContext(value >= KILO ? 4 : 3))
                .stripTrailingZeros()
                .toPlainString();
    }
}
