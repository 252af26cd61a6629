package org.ibidem.lab.bench.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
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
        var g = Ink.begin(image);
        Ink.text(g, run.benchmark(), MARGIN, 32, Ink.DARK, Font.BOLD, 20);
        int after = MARGIN + g.getFontMetrics().stringWidth(run.benchmark()) + DOT;
        Ink.text(g, run.about(), after, 32, Ink.DARK, Font.PLAIN, 15);
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
            Ink.text(g, panel.title(), MARGIN, top - 10, Ink.DARK, Font.BOLD, 15);
            grid();
            g.setColor(Ink.PALE);
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
            Ink.text(g, line, LEGEND, row, Ink.PALE, Font.PLAIN, 13);
            int other = 0;
            for (var curve : panel.curves()) {
                boolean ours = isOurs(curve.name());
                var color = ours ? Ink.OURS : Ink.OTHERS.get(other++ % Ink.OTHERS.size());
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
                g.setColor(Ink.GRID);
                g.draw(new Line2D.Double(LEFT, y(value), RIGHT, y(value)));
                var label = Canvas.label(value);
                g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
                int wide = g.getFontMetrics().stringWidth(label);
                Ink.text(g, label, LEFT - 8 - wide, y(value) + 4, Ink.PALE, Font.PLAIN, 12);
            }
            double on = step(seconds);
            for (double at = 0; at <= seconds; at += on) {
                g.setColor(Ink.GRID);
                g.draw(new Line2D.Double(x(at), top, x(at), bottom));
                Ink.text(
                        g,
                        Canvas.label(at) + " s",
                        x(at) - 8,
                        bottom + 17,
                        Ink.PALE,
                        Font.PLAIN,
                        12);
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
            Ink.text(g, what, LEGEND + 34, row, color, ours ? Font.BOLD : Font.PLAIN, 13);
        }

        private void marks(int first) {
            var curve = marked(panel);
            int row = first + ROW / 2;
            int number = 0;
            for (var mark : CurveCanvas.marks(panel)) {
                number++;
                double x = x(mark.at());
                g.setColor(Ink.GRID);
                g.setStroke(new BasicStroke(1));
                g.draw(new Line2D.Double(x, top, x, bottom));
                numbered(number, x, y(at(curve, mark.at())));
                numbered(number, LEGEND + DOT / 2.0, row - 4);
                var said = String.format(Locale.ROOT, "%.1f s  %s", mark.at(), mark.text());
                Ink.text(g, said, LEGEND + 34, row, Ink.DARK, Font.PLAIN, 13);
                row += ROW;
            }
        }

        private void numbered(int number, double x, double y) {
            g.setColor(Ink.DARK);
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
}
