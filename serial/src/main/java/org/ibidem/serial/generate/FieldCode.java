package org.ibidem.serial.generate;

import java.lang.classfile.CodeBuilder;
import org.ibidem.serial.model.Slot;

/// How code for one class reaches fields and other codecs: through constant handles where it stands
/// outside the class, directly where it stands inside.
public interface FieldCode {
    /// Pushes a field of the object in this local variable.
    void get(CodeBuilder code, int object, Slot slot);

    /// Before the value is pushed that [#set] stores.
    void beginSet(CodeBuilder code, int object, Slot slot);

    /// Stores the pushed value in the field.
    void set(CodeBuilder code, Slot slot);

    /// Pushes the object in this local variable, known to be of the class itself.
    void itself(CodeBuilder code, int object);

    /// Pushes this class.
    void type(CodeBuilder code, Class<?> type);

    /// Pushes the codec of this class.
    void codec(CodeBuilder code, Class<?> type);
}
