package org.ibidem.apps.raytracer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RaytracerTest {
    private static final int SIDE = 67; // Halves are uneven.

    @TempDir Path folder;

    @Test
    void the_picture_of_parts_is_that_of_pixels_also_in_its_file() throws Exception {
        var raytracer = new Raytracer(SIDE, 20);
        var file = folder.resolve("balls.png");
        Raytracer.write(raytracer.part(raytracer.whole()), SIDE, file);
        var read = ImageIO.read(file.toFile()).getRGB(0, 0, SIDE, SIDE, null, 0, SIDE);
        var pixels = raytracer.sequentially(raytracer.whole());
        for (int i = 0; i < pixels.length; i++) {
            assertThat(read[i] & 0xffffff).as("pixel " + i).isEqualTo(pixels[i]);
        }
    }

    @Test
    void balls_are_seen_in_it() {
        var with = new Raytracer(SIDE, 20);
        var without = new Raytracer(SIDE, 0);
        var one = with.sequentially(with.whole());
        var other = without.sequentially(without.whole());
        int differ = 0;
        for (int i = 0; i < one.length; i++) {
            differ += one[i] == other[i] ? 0 : 1;
        }
        assertThat(differ).isBetween(one.length / 50, one.length / 2);
    }
}
