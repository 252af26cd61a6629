package org.ibidem.lab.bench.plot;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;

/// `./bench plot NAME`: draws `docs/bench/NAME.png` from `target/bench/NAME.json`; and, where that
/// was measured which others have published, `NAME-paper.png` with theirs and ours side by side.
public final class Plot {
    private Plot() {}

    /// Draws one picture.
    ///
    /// @param arguments the benchmark's name; then, if they are others, the JSON file and the
    ///   picture's
    public static void run(String... arguments) throws IOException {
        if (arguments.length == 0 || arguments.length > 3) {
            throw new IllegalArgumentException("usage: ./bench plot NAME [JSON [PNG]]");
        }
        var name = arguments[0];
        var json = Path.of(arguments.length > 1 ? arguments[1] : "target/bench/" + name + ".json");
        var png = Path.of(arguments.length > 2 ? arguments[2] : "docs/bench/" + name + ".png");
        if (!Files.isReadable(json)) {
            throw new IllegalArgumentException(
                    "there is no " + json + ": run ./bench " + name + " first");
        }
        var text = text(json);
        write(draw(text), png);
        var beside = Beside.read(text);
        if (!beside.figures().isEmpty()) {
            var other = String.valueOf(png.getFileName()).replaceFirst("(\\.png)?$", "-paper.png");
            write(new BesideCanvas(beside).draw(), png.resolveSibling(other));
        }
    }

    private static void write(BufferedImage image, Path png) throws IOException {
        ImageIO.write(image, "png", png.toFile());
        System.out.println(png);
    }

    private static String text(Path json) throws IOException {
        try {
            return Files.readString(json);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    json + " is no text, so not what a benchmark has written", e);
        }
    }

    /// The picture of a run, given its JSON.
    static BufferedImage draw(String json) {
        if (Curves.is(json)) {
            return new CurveCanvas(Curves.read(json)).draw();
        }
        var run = Recorded.read(json);
        return Sizes.is(run) ? new SizeCanvas(Sizes.of(run)).draw() : new Canvas(run).draw();
    }
}
