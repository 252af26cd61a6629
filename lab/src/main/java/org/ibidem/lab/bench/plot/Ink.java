package org.ibidem.lab.bench.plot;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.List;

/// What all pictures of benchmarks have in common: colours, and how they begin and write.
final class Ink {
    static final Color DARK = new Color(0x22, 0x22, 0x22);
    static final Color PALE = new Color(0x8A, 0x8A, 0x8A);
    static final Color GRID = new Color(0xE2, 0xE2, 0xE2);
    static final Color OURS = new Color(0xC2, 0x41, 0x0C);

    /// Of the others, by their order.
    static final List<Color> OTHERS =
            List.of(
                    new Color(0x1D, 0x4E, 0x89),
                    new Color(0x2E, 0x7D, 0x4F),
                    new Color(0x6B, 0x5B, 0x95),
                    new Color(0x0E, 0x87, 0x8C),
                    new Color(0xB0, 0x8A, 0x00),
                    new Color(0x8A, 0x5A, 0x44),
                    new Color(0xC0, 0x3A, 0x76),
                    new Color(0x5C, 0x6B, 0x73));

    private Ink() {}

    /// Begins a picture, in white; whoever draws disposes of the graphics.
    static Graphics2D begin(BufferedImage image) {
        var g = image.createGraphics();
        g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        g.setRenderingHint(
                RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        g.setColor(Color.WHITE);
        g.fillRect(0, 0, image.getWidth(), image.getHeight());
        return g;
    }

    static void text(Graphics2D g, String text, int x, int y, Color color, int style, int size) {
        g.setFont(new Font(Font.SANS_SERIF, style, size));
        g.setColor(color);
        g.drawString(text, x, y);
    }
}
