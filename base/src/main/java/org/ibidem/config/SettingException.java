package org.ibidem.config;

import org.ibidem.IbidemException;

/// A setting whose value cannot be used: which, where it was set, what was read, what would do.
public class SettingException extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// Says what is wrong with which setting.
    public SettingException(String message) {
        super(message);
    }
}
