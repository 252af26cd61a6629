package org.ibidem.mpj.data;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.ibidem.config.Settings;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.ObjectReader;

/// How objects are read, and which are let in.
final class Objects {
    private static final String SETTING = "ibidem.mpj.objects";
    private static final String EVERYTHING = "**";

    private Objects() {}

    /// What this process lets in. Found out where the first object comes.
    private static final class Allowed {
        static final ObjectPolicy POLICY = policy(Settings.system().value(SETTING, EVERYTHING));
    }

    /// What these patterns let in.
    static ObjectPolicy policy(String patterns) {
        ObjectPolicy policy = ObjectPolicy.NOTHING_BUT_VALUES;
        for (String pattern : patterns.split("[,\\s]+", -1)) {
            if (pattern.equals(EVERYTHING)) {
                policy = policy.unsafelyAllowEverything();
            } else if (!pattern.isEmpty()) {
                policy = policy.allow(pattern);
            }
        }
        return policy;
    }

    /// Reads so many objects into the elements of a part.
    static void read(int objects, MemorySegment memory, Part into) {
        if (objects == 0) {
            return;
        }
        try (ObjectReader in = ObjectReader.from(memory, Allowed.POLICY)) {
            if (!(in.read() instanceof Object[] all) || all.length != objects) {
                throw new Fault(
                        ErrorClass.TYPE, "a message of objects does not have as many as it says");
            }
            Object[] array = (Object[]) into.array();
            Walk walk = new Walk(into);
            for (Object one : all) {
                array[walk.index()] = one;
                walk.skip(1);
            }
        } catch (IOException | ClassNotFoundException | ArrayStoreException e) {
            throw new Fault(ErrorClass.TYPE, "an object cannot be received: " + e, e);
        }
    }
}
