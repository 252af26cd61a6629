import org.jspecify.annotations.NullMarked;

/// Waiting for any descriptor of Linux in a selector of the JDK. To have it, put this module beside
/// the others; `--enable-native-access=org.ibidem.descriptors` keeps the JVM from warning of it.
@NullMarked
module org.ibidem.descriptors {
    requires org.ibidem.transport;
    requires static org.jspecify;

    provides org.ibidem.wait.Descriptors with
            org.ibidem.descriptors.LinuxDescriptors;
}
