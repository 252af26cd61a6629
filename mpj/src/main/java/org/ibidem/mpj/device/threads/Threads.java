package org.ibidem.mpj.device.threads;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.DeviceFailed;

/// The processes of one program, as threads of this JVM: makes a device for each.
public final class Threads {
    private static final int EAGER = 128 << 10;
    private static final int ROOM = 4 << 20;

    private final List<ThreadsDevice> devices = new ArrayList<>();
    private final int eager;
    private final int room;

    /// @param size how many processes
    public Threads(int size) {
        this(size, EAGER, ROOM);
    }

    /// @param size how many processes
    /// @param eager bytes of the longest message that is taken before its receiver asks for it
    /// @param room bytes of messages nobody has asked for, that a process keeps of each other one;
    ///   who sends more waits until they are asked for
    public Threads(int size, int eager, int room) {
        this.eager = eager;
        this.room = room;
        for (int id = 0; id < size; id++) {
            devices.add(new ThreadsDevice(this, id, size));
        }
    }

    /// The device of one process.
    public Device device(int id) {
        return devices.get(id);
    }

    ThreadsDevice at(int id) {
        return devices.get(id);
    }

    boolean isEager(long size, long kept) {
        return size <= eager && size <= room - kept;
    }

    /// One process has failed: what any of them waits for fails.
    public void fail(String why) {
        DeviceFailed failure = new DeviceFailed(why);
        for (ThreadsDevice device : devices) {
            device.fail(failure);
        }
    }
}
