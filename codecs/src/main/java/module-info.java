import org.jspecify.annotations.NullMarked;

/// Compressors with native code inside: `zstd`. To have them, put this module beside the others;
/// `--enable-native-access=com.github.luben.zstd_jni` keeps the JVM from warning of it.
@NullMarked
module org.ibidem.codecs {
    requires com.github.luben.zstd_jni;
    requires org.ibidem.transport;
    requires static org.jspecify;

    provides org.ibidem.codec.Codec with
            org.ibidem.codecs.Zstd;
}
