package org.ibidem.filter.compress;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.ibidem.codec.Codec;
import org.ibidem.codec.Codecs;
import org.ibidem.link.ByteStream;
import org.ibidem.link.Filter;
import org.ibidem.link.Lower;
import org.ibidem.link.Opaque;
import org.ibidem.link.Placed;
import org.ibidem.link.StreamFilter;
import org.jspecify.annotations.Nullable;

/// The filter `compress`: bytes leave in blocks, each as small as pays on the line there is.
public final class CompressFilter implements StreamFilter, Opaque, Placed {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Codecs found;

    /// Found by its `provides` line; with the codecs that are provided.
    public CompressFilter() {
        this(Codecs.found());
    }

    CompressFilter(Codecs found) {
        this.found = found;
    }

    @Override
    public String name() {
        return "compress";
    }

    @Override
    public Class<Compress> options() {
        return Compress.class;
    }

    @Override
    public @Nullable String objection(List<Filter> above) {
        for (var filter : above.reversed()) {
            if (filter instanceof Opaque) {
                boolean twice = filter.name().equals(name());
                return "what leaves %s looks like chance, which nothing makes smaller: write %s"
                        .formatted(
                                filter.name(), twice ? "it once" : "compress > " + filter.name());
            }
        }
        return null;
    }

    @Override
    public ByteStream over(ByteStream below, Record options, Lower lower) throws IOException {
        var compress = (Compress) options;
        if (!below.delivery().isFaithful()) {
            throw new IOException(
                    "compress needs bytes that arrive whole and in order: write compress > reliable"
                            + " > udp");
        }
        var tasks = lower.tasks();
        var agreed = new Greeting(below, tasks, tasks.deadline(LIMIT)).agree(wanted(compress));
        if (agreed.isEmpty() && !compress.codec().equals(Compress.AUTO)) {
            throw new IOException(
                    "the other end has no codec '%s': add its module there, or write compress"
                            .formatted(compress.codec()));
        }
        var choices = Choice.of(agreed, compress);
        return new CompressStream(
                below,
                new Sending(below, choices, compress.decides(), lower),
                new Receiving(below, agreed));
    }

    /// The codecs here that these options allow.
    private List<Codec> wanted(Compress options) throws IOException {
        var wanted = new ArrayList<Codec>();
        var why = new ArrayList<String>();
        for (var codec : found.all()) {
            if (!options.codec().equals(Compress.AUTO) && !options.codec().equals(codec.name())) {
                continue;
            }
            var objection = codec.objection();
            if (objection != null) {
                why.add(
                        "the codec '%s' cannot be used here: %s"
                                .formatted(codec.name(), objection));
                continue;
            }
            try {
                Choice.of(List.of(codec), options);
                wanted.add(codec);
            } catch (IllegalArgumentException e) {
                why.add(e.getMessage());
            }
        }
        if (!why.isEmpty() && wanted.isEmpty()) {
            throw new IOException(why.stream().collect(Collectors.joining("; ")));
        }
        if (wanted.isEmpty()) {
            throw new IOException(
                    "there is no codec '%s' here, only: %s".formatted(options.codec(), found));
        }
        return wanted;
    }
}
