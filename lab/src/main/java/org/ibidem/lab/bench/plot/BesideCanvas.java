package org.ibidem.lab.bench.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.util.Locale;
import org.ibidem.lab.bench.plot.Beside.Bars;
import org.ibidem.lab.bench.plot.Beside.Figure;

/// Draws a field for each figure: for each method what they had, pale, and what was measured here;
/// the capacity of the line as a dashed one.
final class BesideCanvas {
    private static final int WIDTH = 1100;
    private static final int MARGIN = 28;
    private static final int HEAD = 64;
    private static final int FIELD = 300;
    private static final int FOOT = 44;
    private static final int BAR = 52;
    private static final double AIR = 1.12;

    private static final Color THEIRS = new Color(0xB9, 0xC2, 0xCC);

    private final Beside beside;

    BesideCanvas(Beside beside) {
        this.beside = beside;
    }

    BufferedImage draw() {
        int each = HEAD + FIELD + FOOT;
        var image =
                new BufferedImage(
                        WIDTH, each * beside.figures().size(), BufferedImage.TYPE_INT_RGB);
        var g = Ink.begin(image);
        int top = 0;
        for (var figure : beside.figures()) {
            draw(g, figure, top);
            top += each;
        }
        g.dispose();
        return image;
    }

    private static void draw(Graphics2D g, Figure figure, int top) {
        text(g, figure.title() + ", MB/s", MARGIN, top + 26, Ink.DARK, Font.BOLD);
        key(g, top + 48);
        int bottom = top + HEAD + FIELD;
        double scale = FIELD / (figure.most() * AIR);
        int line = bottom - (int) Math.round(figure.capacity() * scale);
        g.setColor(Ink.PALE);
        g.setStroke(
                new BasicStroke(
                        1.4f,
                        BasicStroke.CAP_BUTT,
                        BasicStroke.JOIN_MITER,
                        10,
                        new float[] {7, 5},
                        0));
        g.drawLine(MARGIN, line, WIDTH - MARGIN, line);
        int wide = (WIDTH - 2 * MARGIN) / Math.max(1, figure.bars().size());
        int x = MARGIN;
        for (var bars : figure.bars()) {
            int middle = x + wide / 2;
            bar(g, bars.theirs(), THEIRS, middle - BAR - 2, bottom, scale);
            bar(g, bars.ours(), Ink.OURS, middle + 2, bottom, scale);
            centred(g, name(bars), middle, bottom + 20, Ink.DARK);
            x += wide;
        }
        g.setColor(Ink.PALE);
        g.setStroke(new BasicStroke(1));
        g.drawLine(MARGIN, bottom, WIDTH - MARGIN, bottom);
    }

    private static void key(Graphics2D g, int y) {
        square(g, THEIRS, MARGIN, y);
        text(g, "the paper, 2004", MARGIN + 20, y, Ink.DARK, Font.PLAIN);
        square(g, Ink.OURS, MARGIN + 160, y);
        text(g, "Ibidem, a line of the laboratory", MARGIN + 180, y, Ink.DARK, Font.PLAIN);
        text(g, "dashed: the line", MARGIN + 430, y, Ink.PALE, Font.PLAIN);
    }

    private static void square(Graphics2D g, Color color, int x, int y) {
        g.setColor(color);
        g.fillRect(x, y - 11, 13, 13);
    }

    private static String name(Bars bars) {
        return bars.theirs() > 0 ? bars.name() : bars.name() + " (decides)";
    }

    private static void bar(
            Graphics2D g, double value, Color color, int x, int bottom, double scale) {
        if (value > 0) {
            int high = Math.max(1, (int) Math.round(value * scale));
            g.setColor(color);
            g.fillRect(x, bottom - high, BAR, high);
            var label = String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
            centred(g, label, x + BAR / 2, bottom - high - 5, Ink.DARK);
        }
    }

    private static void centred(Graphics2D g, String text, int middle, int y, Color color) {
        g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
        text(g, text, middle - g.getFontMetrics().stringWidth(text) / 2, y, color, Font.PLAIN);
    }

    private static void text(Graphics2D g, String text, int x, int y, Color color, int style) {
        Ink.text(g, text, x, y, color, style, style == Font.BOLD ? 15 : 13);
    }
}
