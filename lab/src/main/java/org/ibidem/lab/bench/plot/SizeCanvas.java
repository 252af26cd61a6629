package org.ibidem.lab.bench.plot;

import java.awt.BasicStroke;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.util.List;
import org.ibidem.lab.bench.plot.Sizes.Curve;
import org.ibidem.lab.bench.plot.Sizes.Field;

/// Draws one field for each kind of measure, side by side: best deciles over the size of a message,
/// both axes logarithmic, one curve for each contestant.
final class SizeCanvas {
    private static final int WIDTH = 1500;
    private static final int MARGIN = 28;
    private static final int TOP = 92;
    private static final int FIELD = 520;
    private static final int LEFT = 66;
    private static final int FOOT = 40;
    private static final int ROW = 20;
    private static final int DOT = 7;
    private static final int KIBI = 10;
    private static final float[] NO_DASH = {};
    private static final float[] DASHED = {8, 4};
    private static final float[] DOTTED = {2, 3};

    /// Those of ours, by their order, are told apart by their lines.
    private static final List<float[]> LINES = List.of(NO_DASH, DASHED, DOTTED);

    private final Sizes run;
    private final List<String> names;
    private final int width;

    SizeCanvas(Sizes run) {
        this.run = run;
        this.names =
                run.fields().stream()
                        .flatMap(field -> field.curves().stream())
                        .map(Curve::name)
                        .distinct()
                        .toList();
        int fields = Math.max(1, run.fields().size());
        this.width = (WIDTH - MARGIN * (fields + 1)) / fields;
    }

    BufferedImage draw() {
        int rows = (names.size() + 1) / 2;
        int height = TOP + FIELD + FOOT + ROW * (rows + 1);
        var image = new BufferedImage(WIDTH, height, BufferedImage.TYPE_INT_RGB);
        var g = Ink.begin(image);
        Ink.text(g, run.benchmark(), MARGIN, 32, Ink.DARK, Font.BOLD, 20);
        int after = MARGIN + g.getFontMetrics().stringWidth(run.benchmark()) + 2 * DOT;
        Ink.text(g, run.about(), after, 32, Ink.DARK, Font.PLAIN, 15);
        Ink.text(
                g,
                "best deciles over the bytes of a message, logarithmic axes",
                MARGIN,
                54,
                Ink.PALE,
                Font.PLAIN,
                13);
        int x = MARGIN;
        for (var field : run.fields()) {
            field(g, field, x);
            x += width + MARGIN;
        }
        legend(g);
        g.dispose();
        return image;
    }

    private void field(Graphics2D g, Field field, int left) {
        int bottom = TOP + FIELD;
        var better = field.moreIsBetter() ? "more is better" : "less is better";
        var title = field.kind() + ", " + field.unit();
        Ink.text(g, title, left, TOP - 12, Ink.DARK, Font.BOLD, 15);
        int beside = left + g.getFontMetrics().stringWidth(title) + 2 * DOT;
        Ink.text(g, better, beside, TOP - 12, Ink.PALE, Font.PLAIN, 13);
        var sizes = field.sizes();
        var across = new Axis(sizes.getFirst(), sizes.getLast(), left + LEFT, left + width);
        var up = new Axis(field.least(), field.most(), bottom, TOP);
        g.setStroke(new BasicStroke(1));
        for (double tick : up.ticks()) {
            int y = up.at(tick);
            g.setColor(Ink.GRID);
            g.draw(new Line2D.Double(left + LEFT, y, left + width, y));
            Ink.text(g, Canvas.label(tick), left + 8, y + 4, Ink.PALE, Font.PLAIN, 12);
        }
        for (long size : sizes) {
            int x = across.at((double) size);
            g.setColor(Ink.GRID);
            g.draw(new Line2D.Double(x, TOP, x, bottom));
            Ink.text(g, label(size), x - 14, bottom + 18, Ink.PALE, Font.PLAIN, 12);
        }
        for (var curve : field.curves()) {
            curve(g, curve, across, up);
        }
    }

    private void curve(Graphics2D g, Curve curve, Axis across, Axis up) {
        var path = new Path2D.Double();
        look(g, curve.name());
        for (var point : curve.points()) {
            int x = across.at((double) point.bytes());
            int y = up.at(point.best());
            if (path.getCurrentPoint() == null) {
                path.moveTo(x, y);
            } else {
                path.lineTo(x, y);
            }
            g.fill(new Ellipse2D.Double(x - DOT / 2.0, y - DOT / 2.0, DOT, DOT));
        }
        g.draw(path);
    }

    private void legend(Graphics2D g) {
        int half = (names.size() + 1) / 2;
        for (int i = 0; i < names.size(); i++) {
            int x = MARGIN + LEFT + i / half * (WIDTH / 2);
            int y = TOP + FIELD + FOOT + ROW * (1 + i % half);
            look(g, names.get(i));
            g.draw(new Line2D.Double(x, y - 4, x + 40, y - 4));
            int style = isOurs(names.get(i)) ? Font.BOLD : Font.PLAIN;
            Ink.text(g, names.get(i), x + 50, y, g.getColor(), style, 13);
        }
    }

    /// Colour and line of a contestant.
    private void look(Graphics2D g, String name) {
        int order =
                names.stream().filter(each -> isOurs(each) == isOurs(name)).toList().indexOf(name);
        if (!isOurs(name)) {
            g.setColor(Ink.OTHERS.get(order % Ink.OTHERS.size()));
            g.setStroke(new BasicStroke(1.4f));
            return;
        }
        var dash = LINES.get(order % LINES.size());
        g.setColor(Ink.OURS);
        g.setStroke(
                dash.length == 0
                        ? new BasicStroke(2.6f)
                        : new BasicStroke(
                                2.2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, dash, 0));
    }

    private static boolean isOurs(String name) {
        return name.startsWith("ibidem");
    }

    private static String label(long bytes) {
        if (bytes < 1L << KIBI) {
            return bytes + " B";
        }
        return bytes < 1L << (2 * KIBI) ? (bytes >> KIBI) + " KiB" : (bytes >> (2 * KIBI)) + " MiB";
    }
}
