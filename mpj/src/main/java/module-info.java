import org.jspecify.annotations.NullMarked;

/// MPI for Java.
@NullMarked
module org.ibidem.mpj {
    requires org.ibidem.core;
    requires static org.jspecify;

    exports mpi;
    exports mpjbuf;
    exports org.ibidem.mpj.device;
    exports org.ibidem.mpj.device.circuit;

    uses org.ibidem.mpj.device.DeviceProvider;

    provides org.ibidem.mpj.device.DeviceProvider with
            org.ibidem.mpj.device.circuit.Job,
            org.ibidem.mpj.device.threads.SmpProvider;
}
