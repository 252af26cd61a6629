package org.ibidem.apps.raytracer;

import ibis.satin.SatinObject;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.ibidem.apps.Numbers;

/// Arguments: pixels of each side (256), balls (100), a PNG file for the picture (none).
public final class Raytracer extends SatinObject implements RaytracerInterface {
    private static final long serialVersionUID = 1;

    /// Sums of pictures by sides and balls, as the sequential program makes them; what is not among
    /// them is compared with it.
    private static final Map<String, Long> KNOWN =
            Map.of("512 100", 0xbf37ded5L, "1024 100", 0x09aed2cdL);

    private static final int GRAIN = 256;

    private final Scene scene;
    private final int side;

    Raytracer(int side, int balls) {
        this.scene = new Scene(balls);
        this.side = side;
    }

    Part whole() {
        return new Part(0, 0, side, side);
    }

    @Override
    public int[] part(Part part) {
        if (part.pixels() <= GRAIN) {
            return sequentially(part);
        }
        int[] first = part(part.first());
        int[] second = part(part.second());
        sync();
        var pixels = new int[part.pixels()];
        part.put(pixels, part.first(), first);
        part.put(pixels, part.second(), second);
        return pixels;
    }

    /// Pixel by pixel.
    int[] sequentially(Part part) {
        var pixels = new int[part.pixels()];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] =
                    scene.pixel(
                            part.left() + i % part.width(), part.top() + i / part.width(), side);
        }
        return pixels;
    }

    static long sum(int[] pixels) {
        var bytes = ByteBuffer.allocate(4 * pixels.length);
        bytes.asIntBuffer().put(pixels);
        var sum = new CRC32();
        sum.update(bytes);
        return sum.getValue();
    }

    private boolean isRight(int[] pixels, int balls) {
        var known = KNOWN.get(side + " " + balls);
        return known != null ? known == sum(pixels) : Arrays.equals(pixels, sequentially(whole()));
    }

    static void write(int[] pixels, int side, Path file) throws IOException {
        var image = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
        image.setRGB(0, 0, side, side, pixels, 0, side);
        try (var out = Files.newOutputStream(file)) {
            if (!ImageIO.write(image, "png", out)) {
                throw new IOException("this JVM writes no PNG files");
            }
        }
    }

    /// Prints the picture's sum, and whether it is right.
    public static void main(String[] arguments) throws IOException {
        var numbers = new Numbers("raytracer [SIDE [BALLS [IMAGE]]]", arguments);
        int side = numbers.whole(0, 256, 1, 16_384);
        int balls = numbers.whole(1, 100, 0, 100_000);
        var raytracer = new Raytracer(side, balls);
        int[] pixels = raytracer.part(raytracer.whole());
        raytracer.sync();
        if (arguments.length > 2) {
            write(pixels, side, Path.of(arguments[2]));
        }
        System.out.printf(
                "a picture of %d balls, %d pixels wide: %08x%s%n",
                balls, side, sum(pixels), raytracer.isRight(pixels, balls) ? ", right" : ", WRONG");
    }
}
