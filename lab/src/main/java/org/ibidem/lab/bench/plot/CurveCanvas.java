package org.ibidem.lab.bench.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Locale;
import org.ibidem.lab.bench.plot.Curves.Curve;
import org.ibidem.lab.bench.plot.Curves.Mark;
import org.ibidem.lab.bench.plot.Curves.Panel;

/// Draws one field for each line: rates over time, the capacity of the line as a dashed one, and
/// what was decided for `auto` as numbered marks on its curve, in words beside it.
final class CurveCanvas {
    private static final int WIDTH = 1500;
    private static final int MARGIN = 28;
    private static final int TOP = 50;
    private static final int HEAD = 30;
    private static final int FIELD = 300;
    private static final int FOOT = 34;
    private static final int LEFT = 84;
    private static final int RIGHT = 900;
    private static final int LEGEND = 930;
    private static final int ROW = 19;
    private static final int DOT = 15;
    private static final int MOST_MARKS = 12;
    private static final double AIR = 1.05;
    private static final int TICKS = 6;

    private static final Color INK = new Color(0x22, 0x22, 0x22);
    private static final Color PALE = new Color(0x8A, 0x8A, 0x8A);
    private static final Color GRID = new Color(0xE2, 0xE2, 0xE2);
    private static final Color OURS = new Color(0xC2, 0x41, 0x0C);

    /// Of the others, by their order.
    private static final List<Color> OTHERS =
            List.of(
                    new Color(0x1D, 0x4E, 0x89),
                    new Color(0x2E, 0x7D, 0x4F),
                    new Color(0x6B, 0x5B, 0x95),
                    new Color(0x0E, 0x87, 0x8C),
                    new Color(0xB0, 0x8A, 0x00),
                    new Color(0x8A, 0x5A, 0x44),
                    new Color(0xC0, 0x3A, 0x76),
                    new Color(0x5C, 0x6B, 0x73));

    private final Curves run;

    CurveCanvas(Curves run) {
        this.run = run;
    }

    BufferedImage draw() {
        int height = TOP;
        for (var panel : run.panels()) {
            height += height(panel);
        }
        var image = new BufferedImage(WIDTH, height + MARGIN / 2, BufferedImage.TYPE_INT_RGB);
        var g = image.createGraphics();
        g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        g.setRenderingHint(
                RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        g.setColor(Color.WHITE);
        g.fillRect(0, 0, image.getWidth(), image.getHeight());
        text(g, run.benchmark(), MARGIN, 32, INK, Font.BOLD, 20);
        int after = MARGIN + g.getFontMetrics().stringWidth(run.benchmark()) + DOT;
        text(g, run.about(), after, 32, INK, Font.PLAIN, 15);
        int y = TOP;
        for (var panel : run.panels()) {
            new Field(g, panel, y).draw();
            y += height(panel);
        }
        g.dispose();
        return image;
    }

    private static int height(Panel panel) {
        int rows = panel.curves().size() + 1 + marks(panel).size();
        return HEAD + Math.max(FIELD, ROW * rows) + FOOT;
    }

    /// Those of the first curve that has some, `auto` where it is there.
    private static Curve marked(Panel panel) {
        var with = panel.curves().stream().filter(curve -> !curve.marks().isEmpty()).toList();
        return with.stream()
                .filter(curve -> isOurs(curve.name()))
                .findFirst()
                .or(() -> with.stream().findFirst())
                .orElse(new Curve("", 0, List.of(), List.of()));
    }

    private static List<Mark> marks(Panel panel) {
        var all = marked(panel).marks();
        return all.subList(0, Math.min(MOST_MARKS, all.size()));
    }

    private static boolean isOurs(String name) {
        return name.equals("auto");
    }

    /// One panel, from `top` down.
    private static final class Field {
        private final Graphics2D g;
        private final Panel panel;
        private final int top;
        private final int bottom;
        private final double most;
        private final double seconds;

        Field(Graphics2D g, Panel panel, int y) {
            this.g = g;
            this.panel = panel;
            this.top = y + HEAD;
            this.bottom = top + FIELD;
            this.most = panel.most() * AIR;
            this.seconds = panel.seconds();
        }

        private int x(double at) {
            double within = Math.clamp(at, 0, seconds);
            return LEFT + (int) Math.round(within / seconds * (RIGHT - LEFT));
        }

        private int y(double value) {
            return bottom - (int) Math.round(value / most * FIELD);
        }

        void draw() {
            text(g, panel.title(), MARGIN, top - 10, INK, Font.BOLD, 15);
            grid();
            g.setColor(PALE);
            g.setStroke(
                    new BasicStroke(
                            1.4f,
                            BasicStroke.CAP_BUTT,
                            BasicStroke.JOIN_MITER,
                            10,
                            new float[] {7, 5},
                            0));
            g.draw(new Line2D.Double(LEFT, y(panel.capacity()), RIGHT, y(panel.capacity())));
            int row = top + 8;
            var line = String.format(Locale.ROOT, "dashed: the line, %.1f", panel.capacity());
            text(g, line, LEGEND, row, PALE, Font.PLAIN, 13);
            int other = 0;
            for (var curve : panel.curves()) {
                boolean ours = isOurs(curve.name());
                var color = ours ? OURS : OTHERS.get(other++ % OTHERS.size());
                row += ROW;
                curve(curve, color, ours);
                legend(curve, color, row, ours);
            }
            marks(row + ROW);
        }

        private void grid() {
            g.setStroke(new BasicStroke(1));
            double up = step(most);
            for (double value = 0; value <= most; value += up) {
                g.setColor(GRID);
                g.draw(new Line2D.Double(LEFT, y(value), RIGHT, y(value)));
                var label = Canvas.label(value);
                g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
                int wide = g.getFontMetrics().stringWidth(label);
                text(g, label, LEFT - 8 - wide, y(value) + 4, PALE, Font.PLAIN, 12);
            }
            double on = step(seconds);
            for (double at = 0; at <= seconds; at += on) {
                g.setColor(GRID);
                g.draw(new Line2D.Double(x(at), top, x(at), bottom));
                text(g, Canvas.label(at) + " s", x(at) - 8, bottom + 17, PALE, Font.PLAIN, 12);
            }
        }

        /// 1, 2 or 5 times a power of ten.
        private static double step(double most) {
            double rough = most / TICKS;
            double power = Math.pow(10, Math.floor(Math.log10(rough)));
            double times = rough / power;
            return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
        }

        private void curve(Curve curve, Color color, boolean ours) {
            var path = new Path2D.Double();
            for (var point : curve.points()) {
                if (path.getCurrentPoint() == null) {
                    path.moveTo(x(point.at()), y(point.value()));
                } else {
                    path.lineTo(x(point.at()), y(point.value()));
                }
            }
            g.setColor(color);
            g.setStroke(new BasicStroke(ours ? 2.6f : 1.3f));
            g.draw(path);
        }

        private void legend(Curve curve, Color color, int row, boolean ours) {
            g.setColor(color);
            g.setStroke(new BasicStroke(ours ? 2.6f : 1.3f));
            g.draw(new Line2D.Double(LEGEND, row - 4, LEGEND + 26, row - 4));
            var what = String.format(Locale.ROOT, "%s: %.2f", curve.name(), curve.mean());
            text(g, what, LEGEND + 34, row, color, ours ? Font.BOLD : Font.PLAIN, 13);
        }

        private void marks(int first) {
            var curve = marked(panel);
            int row = first + ROW / 2;
            int number = 0;
            for (var mark : CurveCanvas.marks(panel)) {
                number++;
                double x = x(mark.at());
                g.setColor(GRID);
                g.setStroke(new BasicStroke(1));
                g.draw(new Line2D.Double(x, top, x, bottom));
                numbered(number, x, y(at(curve, mark.at())));
                numbered(number, LEGEND + DOT / 2.0, row - 4);
                var said = String.format(Locale.ROOT, "%.1f s  %s", mark.at(), mark.text());
                text(g, said, LEGEND + 34, row, INK, Font.PLAIN, 13);
                row += ROW;
            }
        }

        private void numbered(int number, double x, double y) {
            g.setColor(INK);
            g.fill(new Ellipse2D.Double(x - DOT / 2.0, y - DOT / 2.0, DOT, DOT));
            g.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 10));
            int wide = g.getFontMetrics().stringWidth("" + number);
            g.setColor(Color.WHITE);
            g.drawString("" + number, (float) (x - wide / 2.0), (float) y + 4);
        }

        private static double at(Curve curve, double at) {
            return curve.points().stream()
                    .filter(point -> point.at() >= at)
                    .findFirst()
                    .or(() -> curve.points().reversed().stream().findFirst())
                    .map(Curves.Point::value)
                    .orElse(0.0);
        }
    }

    private static void text(
            Graphics2D g, String text, int x, int y, Color color, int style, int size) {
        g.setFont(new Font(Font.SANS_SERIF, style, size));
        g.setColor(color);
        g.drawString(text, x, y);
    }
}
