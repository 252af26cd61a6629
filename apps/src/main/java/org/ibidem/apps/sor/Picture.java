package org.ibidem.apps.sor;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import javax.imageio.ImageIO;
import javax.imageio.stream.ImageInputStream;

/// A square grey picture: brightness from 0 (black) to 1 (white), row by row.
final class Picture {
    /// What is decoded at most, in pixels: a small file may unfold into an enormous picture.
    private static final long MOST_PIXELS = 100_000_000;

    private final int side;
    private final float[] grey;

    private Picture(int side, float[] grey) {
        this.side = side;
        this.grey = grey;
    }

    /// The picture that comes with the program.
    static Picture standard(int most) {
        try (var in = Objects.requireNonNull(Picture.class.getResourceAsStream("astronaut.png"))) {
            return of(decode(in, "the standard picture"), most);
        } catch (IOException e) {
            throw new BadProblem("cannot read the standard picture: " + e.getMessage(), e);
        }
    }

    /// Reads a picture file (PNG, JPEG, GIF, BMP), cuts the middle square out of it and makes that
    /// at most `most` wide.
    ///
    /// @throws BadProblem when there is no such file, or no picture in it
    static Picture read(Path file, int most) {
        try (var in = Files.newInputStream(file)) {
            return of(decode(in, file.toString()), most);
        } catch (IOException e) {
            throw new BadProblem("cannot read the picture " + file + ": " + e, e);
        }
    }

    private static BufferedImage decode(InputStream in, String name) throws IOException {
        try (ImageInputStream bytes = ImageIO.createImageInputStream(in)) {
            var readers = ImageIO.getImageReaders(bytes);
            if (!readers.hasNext()) {
                throw new BadProblem(
                        "no picture that can be read is in "
                                + name
                                + ": give a PNG, JPEG, GIF or BMP");
            }
            var reader = readers.next();
            try {
                reader.setInput(bytes);
                long pixels = (long) reader.getWidth(0) * reader.getHeight(0);
                if (pixels > MOST_PIXELS) {
                    throw new BadProblem(
                            name
                                    + " has "
                                    + pixels
                                    + " pixels, more than "
                                    + MOST_PIXELS
                                    + ": scale it down");
                }
                return reader.read(0);
            } finally {
                reader.dispose();
            }
        }
    }

    /// The middle square of `image`, averaged down to at most `most` pixels a side.
    static Picture of(BufferedImage image, int most) {
        int square = Math.min(image.getWidth(), image.getHeight());
        int left = (image.getWidth() - square) / 2;
        int top = (image.getHeight() - square) / 2;
        int side = Math.min(square, most);
        var sums = new double[side * side];
        var counts = new int[side * side];
        for (int y = 0; y < square; y++) {
            int row = (int) ((long) y * side / square) * side;
            for (int x = 0; x < square; x++) {
                int at = row + (int) ((long) x * side / square);
                sums[at] += brightness(image.getRGB(left + x, top + y));
                counts[at]++;
            }
        }
        var grey = new float[side * side];
        for (int i = 0; i < grey.length; i++) {
            grey[i] = (float) (sums[i] / counts[i]);
        }
        return new Picture(side, grey);
    }

    private static double brightness(int rgb) {
        return (0.299 * (rgb >> 16 & 255) + 0.587 * (rgb >> 8 & 255) + 0.114 * (rgb & 255)) / 255;
    }

    /// Pixels in a row, and rows.
    int side() {
        return side;
    }

    /// Brightness of a pixel; outside the picture that of the nearest one inside.
    double at(int row, int column) {
        return grey[clamp(row) * side + clamp(column)];
    }

    /// Brightness between pixels (bilinear); the middle of the first pixel is at 0.5.
    double between(double row, double column) {
        double y = row - 0.5;
        double x = column - 0.5;
        int i = (int) Math.floor(y);
        int j = (int) Math.floor(x);
        double fy = y - i;
        double fx = x - j;
        return (1 - fy) * ((1 - fx) * at(i, j) + fx * at(i, j + 1))
                + fy * ((1 - fx) * at(i + 1, j) + fx * at(i + 1, j + 1));
    }

    private int clamp(int index) {
        return Math.clamp(index, 0, side - 1);
    }
}
