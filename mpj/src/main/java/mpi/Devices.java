package mpi;

import java.util.List;
import java.util.ServiceLoader;
import org.ibidem.config.Services;
import org.ibidem.config.Settings;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.DeviceProvider;

/// The devices there are, by name.
final class Devices {
    private static final String SETTING = "ibidem.mpj.device";
    private static final String JOB = "circuit";
    private static final String ALONE = "smpdev";

    private Devices() {}

    /// The one that is set; else that of the job, and of a process that is in none its own.
    static Device open(Settings settings) {
        boolean inJob = settings.given("ibidem.hub").isPresent();
        String name = settings.value(SETTING, inJob ? JOB : ALONE);
        List<DeviceProvider> all = all();
        for (DeviceProvider each : all) {
            if (each.name().equals(name)) {
                return each.open();
            }
        }
        throw new Fault(
                ErrorClass.OTHER,
                "there is no device '"
                        + name
                        + "'; there are "
                        + all.stream().map(DeviceProvider::name).toList());
    }

    private static List<DeviceProvider> all() {
        return DeviceProvider.class.getModule().isNamed()
                ? ServiceLoader.load(DeviceProvider.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList()
                : Services.of(DeviceProvider.class);
    }
}
