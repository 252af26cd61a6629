package org.ibidem.mpj.data;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.ibidem.config.Settings;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.ObjectReader;
import org.ibidem.serial.ProgramClasses;
import org.ibidem.serial.ReviewedThrowables;
import org.jspecify.annotations.Nullable;

/// How objects are read, and which are let in: whatever the class path has; in a pool that has an
/// authority the classes of the program itself, values, and exceptions of the JDK. The setting
/// `ibidem.mpj.objects` says what else, or instead.
public final class Objects {
    private static final String SETTING = "ibidem.mpj.objects";
    private static final String OWN = "ibidem.mpj.own";
    private static final String EVERYTHING = "**";

    /// In a pool that has an authority.
    private static volatile @Nullable ObjectPolicy governed;

    private Objects() {}

    /// What this process lets in elsewhere. Found out where the first object comes.
    private static final class Allowed {
        static final ObjectPolicy POLICY = policy(Settings.system().value(SETTING, EVERYTHING));
    }

    /// What these patterns let in.
    static ObjectPolicy policy(String patterns) {
        return ProgramClasses.allow(ObjectPolicy.NOTHING_BUT_VALUES.setBy(SETTING), patterns);
    }

    /// The processes of this program are members of a pool that has an authority. Called by the
    /// thread on which the program has begun.
    ///
    /// @throws IllegalArgumentException when a setting names no class, or no place of classes
    public static void governed() {
        governed = governed(Settings.system());
    }

    static ObjectPolicy governed(Settings settings) {
        var own = ProgramClasses.own(settings, OWN);
        return policy(settings.value(SETTING, ""))
                .allowWhere(name -> own.test(name) || ReviewedThrowables.has(name));
    }

    private static ObjectPolicy policy() {
        var strict = governed;
        return strict != null ? strict : Allowed.POLICY;
    }

    /// Reads so many objects into the elements of a part.
    static void read(int objects, MemorySegment memory, Part into) {
        if (objects == 0) {
            return;
        }
        try (ObjectReader in = ObjectReader.from(memory, policy())) {
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
