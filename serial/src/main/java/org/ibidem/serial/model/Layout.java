package org.ibidem.serial.model;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.serial.wire.Description;

/// In which order fields follow each other in the stream: the primitives as one block without gaps,
/// the largest first; then the references.
///
/// @param primitives in the order of the block
/// @param references in the order of their description
/// @param bytes of the block
public record Layout<T extends Description.Sized>(
        List<T> primitives, List<T> references, int bytes) {
    /// Lays out fields.
    ///
    /// @param fields level by level, each as described
    public static <T extends Description.Sized> Layout<T> of(List<T> fields) {
        var primitives = new ArrayList<T>();
        var references = new ArrayList<T>();
        int bytes = 0;
        for (int width = Long.BYTES;
                width >= 0;
                width = width == 1 ? 0 : width == 0 ? -1 : width / 2) {
            for (var field : fields) {
                if (field.size() == width) {
                    (width == 0 ? references : primitives).add(field);
                    bytes += width;
                }
            }
        }
        return new Layout<>(List.copyOf(primitives), List.copyOf(references), bytes);
    }
}
