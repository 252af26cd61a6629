import org.jspecify.annotations.NullMarked;

/// What all of Ibidem stands on: memory that is shared with others, and what people write. No
/// runtime dependency.
@NullMarked
module org.ibidem.base {
    requires static org.jspecify;

    exports org.ibidem;
    exports org.ibidem.buffer;
    exports org.ibidem.config;
    exports org.ibidem.program;
    exports org.ibidem.task;
}
