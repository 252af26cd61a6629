package org.ibidem.serial.generate;

import java.io.Serializable;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Of which class the objects in a field most likely are: code for that class is called without
/// asking further.
final class Guess {
    private static final Map<Class<?>, Class<?>> USUAL =
            Map.of(
                    List.class, ArrayList.class,
                    Collection.class, ArrayList.class,
                    Map.class, HashMap.class,
                    Set.class, HashSet.class);

    private Guess() {}

    /// The class; null: anything may come.
    static @Nullable Class<?> of(Class<?> declared) {
        var usual = USUAL.get(declared);
        if (usual != null) {
            return usual;
        }
        boolean made =
                declared.isArray()
                        || declared.isEnum()
                        || (declared != Object.class
                                && !declared.isInterface()
                                && !Modifier.isAbstract(declared.getModifiers()));
        return made && Serializable.class.isAssignableFrom(declared) ? declared : null;
    }
}
